#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/observe.h"
#include "modules/memory_partition/address_map.h"
#include "modules/memory_partition/backing_store.h"
#include "modules/memory_partition/dram_controller.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"
#include "tlm/port_list.h"

namespace heddle {

/// One DRAM channel: the path to the controller, the controller and its banks (gtx480.md, "DRAM"), in the
/// domain of the DRAM command clock. Any base-protocol initiator may send accesses within a 128-byte line.
///
/// A read takes n accesses of dram.access_bytes each, a write one. They need n of the queue + return_queue
/// credits that the sockets share and hold the input for n clocks; the sockets take turns. The request
/// reaches the controller a fixed time later, when n of its `queue` places are free; a place is free again
/// when its access is given to a bank. While none is free the sockets wait too. Reads are answered at the end
/// of their last data beat, tCL + burst after the last column command; writes likewise, tWL + burst after it.
class DramChannel : public sc_core::sc_module, public Clocked, public TargetPort::Backdoor {
 public:
  /// `ports` (1 to 64) sockets with a queue of `port_depth` requests each. `core_period` is the unit of
  /// dram.fixed_latency_core_cycles. `store`, when given, serves b_transport, debug access and payloads
  /// without MemoryRequest. `map` and `store` must outlive the channel. Throws std::invalid_argument.
  DramChannel(const sc_core::sc_module_name& name, ClockDomain& domain, const DramConfig& config,
              const AddressMap& map, unsigned ports, unsigned port_depth, const sc_core::sc_time& core_period,
              BackingStore* store = nullptr);

  PortList<TargetPort> ports;

  bool tick() override;
  void settle() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

  /// No request is queued or being served.
  bool idle() const;
  const DramController& controller() const { return controller_; }
  /// Clocks from a request's acceptance to its arrival at the controller.
  Cycle fixed_latency() const { return fixed_latency_; }

  /// Commands on the bus, at their cycle. For a column command the request's first byte tells the bank.
  Probe<const DramCommands&, Cycle> commands_issued;

 private:
  struct Wave {
    std::uint64_t queue = 0;           ///< requests in the controller
    std::uint64_t input = 0;           ///< requests on their way to it
    std::uint64_t column_command = 0;  ///< index into none, read, write
    std::uint64_t row_command = 0;     ///< RowCommand
    std::vector<std::uint64_t> bank_open;
    std::vector<std::uint64_t> bank_row;
  };

  static std::uint64_t bit(unsigned port) { return std::uint64_t{1} << port; }
  void take_offers();
  void respond(Cycle now);
  void accept(Cycle now);
  void accept_from(unsigned port, Cycle now);
  void admit(Cycle now);
  /// How many accesses may be queued at now + 1 for a request to enter the controller then.
  int queued_for_next(Cycle now) const;
  void account(const DramCommands& commands, Cycle now);
  void answer(DramRequest& request, Cycle due);
  void finish_foreign(tlm::tlm_generic_payload& payload);
  Cycle next_cycle(Cycle now) const;
  [[gnu::cold]] void update_wave(const DramCommands& commands);
  bool enough_credits(unsigned needed) const { return credits_used_ + needed <= credits_; }
  void charge_active(Cycle now);

  DramConfig config_;
  const AddressMap& map_;
  BackingStore* store_;
  DramController controller_;
  Cycle fixed_latency_;
  unsigned credits_;
  unsigned credits_used_ = 0;
  unsigned returning_ = 0;  ///< accesses whose bursts were issued and that are not answered yet
  unsigned port_turn_ = 0;
  Cycle input_free_ = 0;
  std::uint64_t requesting_ = 0;  ///< bit p: port p may hold requests
  std::uint64_t answering_ = 0;   ///< bit p: answers_[p] is not empty
  bool starved_ = false;          ///< the request whose turn it is needs more credits than there are
  std::vector<DramRequest> pool_;
  DramRequestList unused_;
  DramRequestList path_;                  ///< accepted, not yet in the controller; in order of due
  std::vector<DramRequestList> answers_;  ///< per port, in order of issue
  unsigned path_size_ = 0;

  Cycle active_until_ = 0;   ///< the column slot of the last burst is free from then on
  Cycle charged_until_ = 1;  ///< the first edge is cycle 1
  std::uint64_t active_cycles_ = 0;
  std::uint64_t queue_sum_ = 0;  ///< accesses that wait for their bank, summed over cycles
  std::uint64_t reads_ = 0, writes_ = 0, accesses_ = 0;
  unsigned queue_peak_ = 0;
  std::unique_ptr<Wave> wave_;
};

}  // namespace heddle
