#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "modules/counts/issue_statistics.h"
#include "modules/fetch/fetch_unit.h"
#include "modules/sm/events/policy_feed.h"
#include "modules/sm/issue/barrier_set.h"
#include "modules/sm/issue/instruction_pool.h"
#include "modules/sm/issue/scoreboard.h"
#include "modules/sm/issue/warp_instruction_inbox.h"
#include "modules/sm/residency/residency.h"
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

/// What may issue on an SM, and is issued: the warp table, the scoreboard, barriers, and the warp schedulers.
/// Instructions are executed functionally here, when they issue.
///
/// An instruction completed at t lets a dependent issue at t + 1; a barrier met by an issue at t lets its
/// warps issue at t + 1. After a taken branch the warp is fetched straight on; what has come into its
/// I-buffer is thrown away when its scheduler comes to it, at t + 1 at the earliest. A warp retires when its
/// exit has issued, its instructions are complete and its stores acknowledged.
class Issuer : public WarpRunner, public PolicyHost, private IssueHost, private DecodeListener {
  /// What the schedulers' sockets are bound to.
  class Answers : public IssueInitiator {
   public:
    explicit Answers(Issuer& owner) : IssueInitiator(owner.block_), owner_(owner) {}
    tlm::tlm_sync_enum nb_transport_bw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;

   private:
    Issuer& owner_;
  };

  /// What every instruction of a warp needs: one cache line.
  struct alignas(64) Warp {
    const Instruction* code = nullptr;
    ThreadBlock* block = nullptr;
    const KernelLaunch* launch = nullptr;
    LaunchCounts* counts = nullptr;  ///< see TbTransaction
    std::uint32_t next_index = 0;
    TbSlot tb_slot;
    WarpInTb warp_in_tb;
    unsigned in_flight = 0;         ///< instructions issued and not complete
    unsigned memory_in_flight = 0;  ///< of these, memory accesses
    std::uint64_t code_base = 0;
    Cycle issued_at = 0;  ///< last, or its start: for a warp at a barrier, when it came there
  };
  static_assert(sizeof(Warp) == 64);

 public:
  /// What it shares with the rest of its SM. Of the table it keeps what residency does not; of the statistics
  /// those of instructions and barriers.
  struct Links {
    Clocked& block;  ///< ticks for it; is woken for it
    FetchUnit& fetch;
    const StoreCounts& stores;
    WarpTable& table;
    IssueStatistics& statistics;
    Residency& residency;
    PolicyFeed& feed;
  };

  /// `sm` of config.core.sms. Makes the schedulers, modules of the one under construction.
  Issuer(const GpuConfig& config, SmId sm, const Links& links);

  WarpScheduler& scheduler(unsigned index) { return *schedulers_[index]; }
  const WarpScheduler& scheduler(unsigned index) const { return *schedulers_[index]; }
  unsigned schedulers() const { return static_cast<unsigned>(schedulers_.size()); }

  /// From now on, what its warps do to memory that all SMs share goes to `steps`, and is done after the SM's
  /// tick, at the same edge: by `finisher`, which is woken for it, if given.
  void put_off(std::vector<PutOffStep>& steps, Clocked* finisher) {
    site_.put_off = &steps;
    finisher_ = finisher;
  }
  /// The LD/ST unit has received acknowledgements of stores of `warp`.
  void stores_done(unsigned warp);
  /// The schedulers' ports are bound.
  void end_of_elaboration();

  // The steps of a tick, in their order.
  /// Tells the policies what waits for them.
  void deliver_events();
  /// Completions and acknowledgements; retires warps.
  void absorb();
  /// Runs the schedulers if one may have something to do; returns whether it did.
  bool run();
  /// The scheduler that comes first when they run at `cycle`, the present one: the order turns with the
  /// cycles in which the SM has a TB, as the reference's does.
  unsigned first_to_run(Cycle cycle) const;
  /// The next edge may have something to do that no message will announce.
  bool needs_next_edge() const { return dirty_ || (polling_ && !slots_announced_); }

  /// Charges the schedulers' cycles up to and including `cycle`.
  void settle(Cycle cycle);
  void report(StatSink& sink) const;
  void trace_schedulers(WaveSink& sink);
  void trace_state_of_schedulers(WaveSink& sink);
  /// What a resident warp waits for, in a line or more.
  std::string describe(unsigned warp) const;
  /// The last cycle at which an instruction issued or completed.
  Cycle last_progress() const { return last_progress_; }

  /// A line for each scheduler with warps that could issue now, and which its policies do not choose.
  std::string describe_held_back() const;
  /// Looks at which warps can issue, for starved().
  void look_for_starved(Cycle cycle);
  /// Warps that could issue at each look for at least `cycles` up to the last one, and have not.
  WarpMask starved(Cycle cycles) const;
  /// A line for each scheduler that has some of `warps`: since when they could issue, and who kept them.
  std::string describe_starved(WarpMask warps) const;

  LaneMask next_lanes(unsigned warp) const override;
  std::uint64_t next_pc(unsigned warp) const override;

 private:
  void start_tb(TbSlot slot, unsigned warps) override;
  void start_warp(const PlacedWarp& placed) override;
  WarpInstruction& execute(unsigned warp) override;
  void flush(unsigned warp) override;
  tlm::tlm_bw_transport_if<IssueProtocol>& answers() override { return answers_; }
  void decoded(unsigned warp) override;

  bool must_run() const;
  bool run_schedulers();
  void release_barriers();
  void tell_issue(const WarpInstruction& instruction, const Step& step);
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
  std::string describe_wait(unsigned warp) const;
  std::string describe_choice(unsigned scheduler, WarpMask warps) const;
  std::uint64_t address_of_next(const Warp& warp) const {
    return warp.code_base + std::uint64_t{warp.next_index} * Instruction::kBytes;
  }

  // What each tick needs: together, in front.
  Clocked& block_;
  const ClockDomain& clock_;
  FetchUnit& fetch_;
  WarpTable& table_;
  PolicyFeed& feed_;
  Residency& residency_;
  IssueStatistics& statistics_;
  Answers answers_;
  WarpInstructionInbox completions_;
  WarpMask acked_ = 0;  ///< warps with acknowledgements that arrived at acked_at_ or before
  Ticks acked_at_ = 0;
  std::uint64_t barrier_events_ = 0;  ///< TB slots in which a warp arrived at a barrier or exited
  bool dirty_ = true;                 ///< something changed since the schedulers ran last
  bool polling_ = false;              ///< some scheduler waits for a unit
  bool slots_announced_ = false;      ///< its wait ends with a wake-up
  const bool rotates_;                ///< the order of the schedulers turns
  Cycle next_update_ = SchedulingPolicy::kNever;
  Cycle timer_ = 0;  ///< the last one for which the block's timer was set
  Cycle last_progress_ = 0;
  std::array<WarpScheduler*, kMaxSchedulers> running_order_{};  ///< schedulers_, without a line of its own

 public:
  Probe<const WarpInstruction&> issued;

 private:
  std::vector<std::unique_ptr<WarpScheduler>> schedulers_;
  std::vector<Warp> warps_;
  InstructionPool pool_;
  std::array<std::uint8_t, kMaxWarps> scheduler_of_{};  ///< by warp slot
  Scoreboard scoreboard_;
  std::vector<BarrierSet> barriers_;  ///< by TB slot
  ExecutionSite site_;
  Clocked* finisher_ = nullptr;  ///< of what is put off; see put_off()
  const StoreCounts& stores_;
  WarpMask could_issue_ = 0;                    ///< at the last look
  std::array<Cycle, kMaxWarps> could_since_{};  ///< of these: the first look since they issued
  Cycle looked_at_ = 0;
};

}  // namespace heddle
