#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "hw/pricing/inventory.h"
#include "modules/config/gpu_config.h"
#include "modules/messages/tb_transaction.h"
#include "modules/sm/events/policy_feed.h"
#include "modules/sm/issue/issuer.h"
#include "modules/sm/residency/residency.h"
#include "modules/sm/waves/event_waves.h"
#include "modules/sm/waves/warp_waves.h"
#include "tlm/clocked.h"

namespace heddle {

/// The block of an SM in which its thread blocks live and its instructions issue: the socket of the TB
/// protocol, and the process that runs residency, issue and what policies are told at each edge.
class IssueStage : public sc_core::sc_module,
                   public Clocked,
                   private TbEnds,
                   private tlm::tlm_fw_transport_if<TbProtocol>,
                   private NativeInterface {
  /// What policies see and are told, when it is traced.
  struct Waves {
    Waves(const ClockDomain& clock, const GpuConfig& gpu) : events(clock, gpu) {}
    WarpWaves warps;
    EventWaves events;
    std::uint64_t first_scheduler = 0;
  };

  hw::Inventory inventory_;
  WarpTable table_;
  IssueStatistics statistics_;
  std::unique_ptr<Waves> waves_;

 public:
  /// References are kept. Throws std::invalid_argument when the configuration has no schedulers, or more warp
  /// slots or TB slots than kMaxWarps, or names an unknown scheduling policy. `board` is that of the GPU; an
  /// SM that is built alone has its own.
  IssueStage(const sc_core::sc_module_name& name, ClockDomain& domain, const GpuConfig& config, SmId sm,
             FetchUnit& fetch, const StoreCounts& stores, PolicyBoard* board = nullptr);

  Residency residency;
  PolicyFeed feed;
  Issuer issuer;

  /// From the TB dispatcher.
  TbTargetSocket tb;

  /// No TB is resident.
  bool idle() const { return residency.tbs() == 0; }

  bool tick() override;
  void settle() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);
  /// What the policies show of their state; see SharedPolicy.
  void trace_state(WaveSink& sink);

  const WarpTable& warps() const { return table_; }
  const IssueStatistics& statistics() const { return statistics_; }
  /// The parts that the SM's scheduling policies are built of.
  const hw::Inventory& inventory() const { return inventory_; }
  /// The SM as their owner, for parts that its policies need elsewhere in it.
  hw::Owner hardware();
  /// One line per resident warp and what it waits for; "" when there is none.
  std::string describe_waiting() const;

 private:
  tlm::tlm_sync_enum nb_transport_fw(TbTransaction& transaction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool complete(const TbTransaction& transaction) const;
  void b_transport(TbTransaction& transaction, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(TbTransaction& transaction, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(TbTransaction& transaction) override;
  void warp_done(TbTransaction& transaction) override { notify(transaction, WARP_DONE); }
  void tb_done(TbTransaction& transaction) override { notify(transaction, tlm::BEGIN_RESP); }
  void notify(TbTransaction& transaction, tlm::tlm_phase phase);
  [[gnu::cold]] bool run_with_waves();
  void show_policies(Cycle cycle);
  void trace_sm(WaveSink& sink);
  void end_of_elaboration() override { issuer.end_of_elaboration(); }

  const GpuConfig& config_;
  const SmId sm_;
  bool shows_state_ = false;  ///< of the policies, when it is settled
};

}  // namespace heddle
