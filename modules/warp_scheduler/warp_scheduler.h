#pragma once

#include <cstdint>
#include <memory>
#include <systemc>

#include "base/observe.h"
#include "modules/counts/issue_cause.h"
#include "modules/messages/warp_instruction.h"
#include "modules/warp_scheduler/issue_host.h"
#include "modules/warp_scheduler/issue_wave.h"
#include "modules/warp_scheduler/sm_policies.h"
#include "modules/warp_scheduler/warp_list.h"
#include "modules/warp_scheduler/warp_states.h"

namespace heddle {

IssueEvent issue_event(const WarpInstruction& instruction, std::uint64_t cycle);

/// One warp scheduler: issues at most one instruction per core cycle from the warps w with
/// w mod schedulers == id, chosen by a qualifier and a prioritizer. The issue stage runs the SM's schedulers
/// in turn at each of its edges, since they compete for the operand collector's input registers.
class WarpScheduler : public sc_core::sc_module {
  struct Wave {
    std::uint64_t valid = 0;
    std::uint64_t ready = 0;
    std::uint64_t open_units = 0;
    std::uint64_t issuable = 0;
    std::uint64_t qualified = 0;
    std::uint64_t stale = 0;
    std::uint64_t flushed = 0;
    std::uint64_t selected = 0;
    std::uint64_t selected_warp = 0;
    std::uint64_t issued = 0;
    std::uint64_t cause = 0;
    IssueWave issue;
  };

  // What each run needs: together, in front of the sockets.
  const WarpTable& table_;
  IssueHost& host_;
  Qualifier* qualifier_;  ///< nullptr when every ready warp may issue
  Prioritizer* prioritizer_;
  ChoicePipeline* const choice_;       ///< nullptr when a warp is chosen in the cycle in which it issues
  const IssueReady* open_ = nullptr;   ///< what `ready` is bound to
  IssueForward* collector_ = nullptr;  ///< what `issue` is bound to
  const bool tells_stalls_;
  const bool keeps_active_set_;  ///< the prioritizer does
  IssueCause cause_ = IssueCause::kEmpty;
  IssueClass seen_ =
      IssueClass::kIdle;     ///< of the cycle when only active warps are looked at; at the last run
  bool rests_ = false;       ///< the prioritizer does, since the last run
  bool arrived_ = false;     ///< a choice took effect in the last run
  unsigned full_units_ = 0;  ///< bit u: unit u had no free slot for a warp that passed the scoreboard
  WarpMask supervised_;
  WarpMask valid_ = 0;               ///< with an instruction, at the last run
  WarpMask passed_ = 0;              ///< of these, that passed the scoreboard
  WarpMask held_ = 0;                ///< that could issue at the last run but for the qualifier
  std::uint64_t charged_until_ = 0;  ///< last cycle charged
  std::uint64_t looked_at_ = 0;      ///< cycle of seen_
  LaunchCounts* counts_ = nullptr;   ///< of the launch that the cycles are charged to
  std::unique_ptr<Wave> wave_;
  WarpList by_age_;  ///< unfinished warps
  CauseCycles cycles_{};
  ClassCycles seen_cycles_{};  ///< see active_set_cycles()

 public:
  /// From `cycle` on the cycles have another cause than before: cycle, cause.
  Probe<std::uint64_t, IssueCause> cause_changed;
  /// It had a turn. In the cycles up to the next one nothing that it sees changes.
  Probe<const SchedulerTurn&> took_turn;

  /// Scheduler `index` of its SM. References are kept.
  WarpScheduler(const sc_core::sc_module_name& name, unsigned index, const WarpTable& table,
                SmPolicies& policies, IssueHost& host, WarpMask supervised);

  /// To the operand collector.
  IssueInitiatorSocket issue;
  sc_core::sc_port<IssueReady> ready;

  /// What a cycle came to, as far as it says when the scheduler must run again.
  struct Outcome {
    bool issued = false;
    bool flushed = false;                                  ///< emptied an I-buffer
    std::uint64_t next_update = SchedulingPolicy::kNever;  ///< the policies' own time
  };
  /// From now on `prioritizer`, which must outlive this, is asked and told instead of the policies' own, to
  /// which it hands on what it hears.
  void ask(Prioritizer& prioritizer) { prioritizer_ = &prioritizer; }
  /// Likewise, when the policies have one that does not admit every warp.
  void ask(Qualifier& qualifier) { qualifier_ = &qualifier; }
  /// Does the work of `cycle`; cycles since the last run had the cause of that run (a
  /// scheduler that issued runs at the next cycle too).
  Outcome run(std::uint64_t cycle);
  /// Charges the cycles up to and including `cycle`, and tells the shared policies that hear it those in
  /// which nothing issued.
  void settle(std::uint64_t cycle) {
    if (cycle > charged_until_) charge(cycle);
  }

  /// True when a unit that held a warp back at the last run has a free input register now.
  bool unit_opened() const;
  /// True when a full unit held a warp back at the last run; ask unit_opened() later.
  bool waits_for_unit() const { return full_units_ != 0; }

  void warp_started(unsigned warp);
  void warp_finished(unsigned warp);

  WarpMask supervised() const { return supervised_; }
  /// Its warps whose next instruction has passed the scoreboard and finds its unit free: what keeps them from
  /// issuing is the policies' choice, and of held_back() the qualifier's.
  WarpMask could_issue() const {
    unsigned full = 0;
    return with_free_unit(supervised_ & table_.ready_for_scoreboard() & ~table_.blocked, full);
  }
  WarpMask held_back() const { return held_; }
  /// Cycles by cause, as of the last settle().
  const CauseCycles& cycles() const { return cycles_; }
  /// The same cycles by class, when only the warps are looked at that a prioritizer with an active set has in
  /// it, as the reference's scheduler does: a cycle without a valid instruction among them is idle, whatever
  /// the others could do. Zeros without an active set.
  const ClassCycles& active_set_cycles() const { return seen_cycles_; }

  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);
  /// What its policies show of their state; see SharedPolicy.
  void trace_state(WaveSink& sink) { sm_policies_.trace_state_of_facets(index_, sink); }

 private:
  void end_of_elaboration() override;
  void flush(WarpMask warps);
  /// Of `passed`, those whose unit has a free slot; `full`: bit u, unit u has none for one of them.
  WarpMask with_free_unit(WarpMask passed, unsigned& full) const;
  unsigned select(std::uint64_t cycle, WarpMask qualified, WarpMask stale);
  const WarpInstruction& hand_over(unsigned warp, std::uint64_t cycle);
  /// A policy answers what it was not asked for: an error.
  [[gnu::cold, gnu::noinline]] void refuse_selected(std::uint64_t cycle, unsigned warp,
                                                    WarpMask offered) const;
  [[gnu::cold, gnu::noinline]] void refuse_qualified(std::uint64_t cycle, WarpMask qualified,
                                                     WarpMask offered) const;
  [[gnu::cold]] void show(WarpMask valid, WarpMask issuable, WarpMask qualified, WarpMask stale,
                          unsigned selected, const WarpInstruction* issued);
  [[gnu::cold]] void tell_turn(std::uint64_t cycle, WarpMask issuable, WarpMask off_path,
                               const WarpInstruction* issued);
  std::uint64_t wait(std::uint64_t cycle, WarpMask qualified, WarpMask offered, std::uint64_t next);
  ChoicePipeline::Choice choose(std::uint64_t cycle, WarpMask qualified, WarpMask stale);
  unsigned select_in_stages(std::uint64_t cycle, WarpMask qualified, WarpMask stale);
  /// `warp`: the one that the cause was found at; kNoWarp when there is none.
  IssueCause stall_cause(WarpMask valid, WarpMask passed, WarpMask off_path, unsigned& warp) const;

  /// Among the prioritizer's active warps.
  IssueClass stall_class(WarpMask valid, WarpMask passed) const;

  /// The cycles from `cycle` on go to this cause and launch.
  void charge_from(std::uint64_t cycle, IssueCause cause, LaunchCounts* counts);
  void charge(std::uint64_t until) {
    const std::uint64_t cycles = until - charged_until_;
    cycles_[static_cast<unsigned>(cause_)] += cycles;
    if (rests_ && until != looked_at_) {
      charge_rest(until);
    } else if (keeps_active_set_) {
      seen_cycles_[static_cast<unsigned>(seen_)] += cycles;
    }
    if (counts_ != nullptr) count_for_launch(cycles);
    if (tells_stalls_ && cause_ != IssueCause::kIssued) tell_stall(cycles);
    charged_until_ = until;
  }
  void charge_rest(std::uint64_t until);
  void count_for_launch(std::uint64_t cycles);
  void tell_stall(std::uint64_t cycles);

  const unsigned index_;
  SmPolicies& sm_policies_;
};

}  // namespace heddle
