#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/pricing/inventory.h"
#include "modules/config/gpu_config.h"
#include "modules/counts/issue_statistics.h"
#include "modules/fetch/fetch_unit.h"
#include "modules/messages/tb_transaction.h"
#include "modules/sm/events/policy_feed.h"
#include "modules/sm/instruction_pool.h"
#include "modules/sm/scoreboard.h"
#include "modules/sm/tb_slots.h"
#include "modules/sm/warp_instruction_inbox.h"
#include "modules/warp_scheduler/issue_host.h"
#include "modules/warp_scheduler/warp_scheduler.h"
#include "tlm/clocked.h"

namespace heddle {

/// Knows how many stores of a warp wait for their acknowledgement.
class StoreCounts {
 public:
  virtual ~StoreCounts() = default;
  virtual unsigned outstanding_stores(unsigned warp) const = 0;
};

/// The issue stage of an SM: its thread blocks and warps, the scoreboard, barriers, and the warp schedulers,
/// which it runs at each of its edges. Instructions are executed functionally here, when they issue.
///
/// An instruction completed at t lets a dependent issue at t + 1; a barrier met by an issue at t lets its
/// warps issue at t + 1. After a taken branch the warp is fetched straight on; what has come into its
/// I-buffer is thrown away when its scheduler comes to it, at t + 1 at the earliest. A warp retires when its
/// exit has issued, its instructions are complete and its stores acknowledged. With warp-level management of
/// resources, what a warp that retires at t gives back can start an unissued warp at t + 1.
class IssueStage : public sc_core::sc_module,
                   public Clocked,
                   private IssueHost,
                   private PolicyHost,
                   private DecodeListener,
                   private tlm::tlm_fw_transport_if<TbProtocol>,
                   private NativeInterface {
  /// What the schedulers' sockets are bound to.
  class Answers : public IssueInitiator {
   public:
    explicit Answers(IssueStage& owner) : owner_(owner) {}
    tlm::tlm_sync_enum nb_transport_bw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;

   private:
    IssueStage& owner_;
  };

  struct alignas(64) Warp {
    const Instruction* code = nullptr;
    ThreadBlock* block = nullptr;
    const KernelLaunch* launch = nullptr;
    LaunchCounts* counts = nullptr;  ///< see TbTransaction
    std::uint32_t next_index = 0;
    std::uint16_t tb_slot = 0;
    std::uint16_t warp_in_tb = 0;
    unsigned in_flight = 0;         ///< instructions issued and not complete
    unsigned memory_in_flight = 0;  ///< of these, memory accesses
    std::uint64_t code_base = 0;
    // Up to here one cache line: what every instruction needs.
    Cycle barrier_since = 0;
    Cycle started_at = 0;
    Cycle counted_until = 0;  ///< first cycle of its residence not yet in counts
  };

  struct Wave {
    std::uint64_t resident = 0;
    std::uint64_t valid = 0;
    std::uint64_t blocked = 0;
    std::uint64_t at_barrier = 0;
    std::uint64_t at_membar = 0;
    std::uint64_t finished = 0;
    std::uint64_t tbs = 0;
    std::uint64_t free_registers = 0;
    std::uint64_t free_warp_slots = 0;
    std::uint64_t free_shared_bytes = 0;
  };

  // What each tick needs: together, in front of the socket.
  FetchUnit& fetch_;
  Answers answers_;
  WarpInstructionInbox completions_;
  WarpMask acked_ = 0;  ///< warps with acknowledgements that arrived at acked_at_ or before
  Ticks acked_at_ = 0;
  std::uint64_t barrier_events_ = 0;  ///< TB slots in which a warp arrived at a barrier or exited
  bool dirty_ = true;                 ///< something changed since the schedulers ran last
  bool polling_ = false;              ///< some scheduler waits for a unit
  bool slots_announced_ = false;      ///< its wait ends with a wake-up
  Cycle next_update_ = SchedulingPolicy::kNever;
  bool rotates_ = false;      ///< the order of the schedulers turns
  bool tbs_changing_ = true;  ///< TBs wait for their start, or what has ended is not yet taken back
  std::uint64_t next_age_ = 0;
  Cycle last_progress_ = 0;
  Cycle accounted_until_ = 0;  ///< first cycle whose residency is not yet counted
  /// Cycles before accounted_until_ in which the SM had no TB.
  Cycle inactive_cycles_ = 0;

 public:
  Probe<const WarpInstruction&> issued;

 private:
  std::unique_ptr<Wave> wave_;
  std::array<WarpScheduler*, kMaxSchedulers> running_order_{};  ///< schedulers_, without a line of its own
  std::vector<std::unique_ptr<WarpScheduler>> schedulers_;
  std::vector<Warp> warps_;
  InstructionPool pool_;
  IssueStatistics statistics_;
  WarpTable table_;
  std::array<std::uint8_t, kMaxWarps> scheduler_of_{};  ///< by warp slot
  Scoreboard scoreboard_;
  hw::Inventory inventory_;
  TbSlots tbs_;
  ExecutionSite site_;
  Clocked* finisher_ = nullptr;  ///< of what is put off; see put_off()

 public:
  /// References are kept. Throws std::invalid_argument when the configuration has no schedulers, or more warp
  /// slots or TB slots than kMaxWarps, or names an unknown scheduling policy. `board` is that of the GPU; an
  /// SM that is built alone has its own.
  IssueStage(const sc_core::sc_module_name& name, ClockDomain& domain, const GpuConfig& config, unsigned sm,
             FetchUnit& fetch, const StoreCounts& stores, PolicyBoard* board = nullptr);

  /// From the TB dispatcher.
  TbTargetSocket tb;
  WarpScheduler& scheduler(unsigned index) { return *schedulers_[index]; }
  unsigned schedulers() const { return static_cast<unsigned>(schedulers_.size()); }

  /// What the SM's policies are told.
  PolicyFeed& feed() { return feed_; }

  /// From now on, what its warps do to memory that all SMs share goes to `steps`, and is done after the SM's
  /// tick, at the same edge: by `finisher`, which is woken for it, if given.
  void put_off(std::vector<PutOffStep>& steps, Clocked* finisher) {
    site_.put_off = &steps;
    finisher_ = finisher;
  }

  /// The LD/ST unit has received acknowledgements of stores of `warp`.
  void stores_done(unsigned warp);

  bool tick() override;
  void settle() override;
  void report(StatSink& sink) const;
  void trace(WaveSink& sink);

  const WarpTable& warps() const { return table_; }
  /// The parts that the SM's scheduling policies are built of.
  const hw::Inventory& inventory() const { return inventory_; }
  /// The SM as their owner, for parts that its policies need elsewhere in it.
  hw::Owner hardware();
  const IssueStatistics& statistics() const { return statistics_; }
  /// A TB is resident.
  bool busy() const { return tbs_.resident() != 0; }
  /// The last cycle at which an instruction issued or completed.
  Cycle last_progress() const { return last_progress_; }
  /// One line per resident warp and what it waits for; "" when there is none.
  std::string describe_waiting() const;

  Probe<unsigned, const TbTransaction&, Cycle> warp_started;  ///< slot, its TB, cycle
  Probe<unsigned, const TbTransaction&, Cycle> warp_retired;
  Probe<const TbTransaction&, Cycle> tb_started;
  Probe<const TbTransaction&, Cycle> tb_finished;
  /// The last resident TB has ended.
  EventPort<Cycle> emptied;

 private:
  // Protocols.
  tlm::tlm_sync_enum nb_transport_fw(TbTransaction& transaction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(TbTransaction& transaction, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(TbTransaction& transaction, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(TbTransaction& transaction) override;
  void notify(TbTransaction& transaction, tlm::tlm_phase phase);
  WarpInstruction& execute(unsigned warp) override;
  void flush(unsigned warp) override;
  tlm::tlm_bw_transport_if<IssueProtocol>& answers() override { return answers_; }
  void decoded(unsigned warp) override;
  LaneMask next_lanes(unsigned warp) const override;
  std::uint64_t next_pc(unsigned warp) const override;

  void end_of_elaboration() override;

  // Steps of a tick.
  void hear_events();
  void absorb();
  /// TBs start, and what has ended is taken back.
  void change_tbs(Ticks now);
  bool must_run() const;
  bool run_schedulers();
  void release_barriers();
  void tell_released(const TbSlot& slot, unsigned barrier, WarpMask warps);
  [[gnu::cold]] void update_wave();

  // Warps.
  void start_tb(TbSlot& slot);
  void start_warp(TbSlot& slot, unsigned warp, unsigned warp_in_tb);
  /// The next warp of the partial TB.
  void start_unissued();
  void tell_issue(const WarpInstruction& instruction, const Step& step);
  WarpEvent warp_event(unsigned warp) const;
  TbEvent tb_event(const TbSlot& slot) const;
  void follow(unsigned warp, const Step& step);
  void look_at_next(unsigned warp);
  void forget_next(unsigned warp);
  void update_blocked(unsigned warp);
  void unblock(unsigned warp);
  void complete(WarpInstruction& instruction);
  void check_waits(unsigned warp) {
    if (((table_.at_membar | table_.finished) & warp_bit(warp)) != 0) end_waits(warp);
  }
  void end_waits(unsigned warp);
  void retire(unsigned warp);
  void end_tb(TbSlot& slot);
  void account_residency(Cycle until);
  static void count_residence(Warp& warp, Cycle until);
  std::uint64_t address_of_next(const Warp& warp) const {
    return warp.code_base + std::uint64_t{warp.next_index} * Instruction::kBytes;
  }
  std::string describe(unsigned warp) const;

  const GpuConfig& config_;
  const StoreCounts& stores_;
  PolicyFeed feed_;
};

}  // namespace heddle
