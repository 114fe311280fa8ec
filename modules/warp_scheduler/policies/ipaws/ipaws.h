#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "hw/logic/comparator.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/register.h"
#include "modules/warp_scheduler/note_link.h"
#include "modules/warp_scheduler/policies/basic/least_issued_order.h"
#include "modules/warp_scheduler/policies/ipaws/decisions.h"
#include "modules/warp_scheduler/policies/ipaws/issue_pattern.h"
#include "modules/warp_scheduler/policies/ipaws/kernel_ends.h"
#include "modules/warp_scheduler/policies/ipaws/paired_policies.h"
#include "modules/warp_scheduler/policies/ipaws/parameters.h"
#include "modules/warp_scheduler/policies/ipaws/record.h"
#include "modules/warp_scheduler/policies/ipaws/stall_rule.h"

namespace heddle {

/// What the schedulers of an SM share under iPAWS, instruction-issue pattern-based adaptive warp scheduling.
///
/// Every kernel begins in the Adapt phase, under the greedy scheduler. When its first warp on the SM issues
/// its exit (at t; IpawsJudgeAt has other readings), the issue pattern is judged; the decision holds from t +
/// 1 on, or from the end of the judgement when that takes time. Concave patterns stay with the greedy
/// scheduler. Convex ones go to the fair one, through the Recover phase: fewest issued instructions first,
/// until the kernel's newest warp has issued as many as its oldest had at the decision.
///
/// In hardware timing what a cycle finds is in registers from the next one on: the pattern is judged with
/// what all schedulers issue at t; a kernel that begins and a Recover phase that ends change the choice from
/// the next cycle on; kernels are told apart by the low bits of their launches; and the Recover phase is
/// between the two warps that KernelEnds watches, unless judge_at is first_tb.
///
/// Of several kernels on the GPU each is decided about. An SM adapts to the newest kernel that it holds, or,
/// when that has left it, to the one that comes (iPAWS 4.3, "pCKE": with IpawsDecider::kEachSm). With kSmPair
/// kernels share SMs ("sCKE"): SMs of even number adapt to the oldest kernel that they hold, those of odd
/// number to the next one, and to that alone; they favour it until it is decided about, its warps going first
/// (IpawsFavour). Warps of each kernel are scheduled as was decided about it, greedily until then; between
/// warps that none is to favour, what Recover, the greedy and the fair scheduler would take goes in turn.
class Ipaws final : public PairedPolicies {
 public:
  Ipaws(const SmContext& context, const PolicyChannel& channel);

  IpawsPhase phase() const { return record_.phase(); }
  /// That which the choice of `cycle` is made in.
  IpawsPhase phase_of_choice(std::uint64_t cycle) const {
    return cycle == changed_at_ ? phase_before_ : record_.phase();
  }
  LeastIssuedOrder* least_issued() { return least_issued_.get(); }

  void on_tb_start(const TbEvent& event) override;
  void on_tb_end(const TbEvent& event) override;
  void on_warp_start(const WarpEvent& event) override;
  void on_warp_finish(const WarpEvent& event) override;
  void on_warp_retire(const WarpEvent& event) override;
  void on_issue(const IssueEvent& event) override;
  void on_barrier_arrive(const BarrierEvent& event) override;
  void on_barrier_release(const BarrierEvent& event) override;
  void on_stall(const StallEvent& event) override;
  void on_note(const PolicyNote& note) override;
  std::uint64_t update(std::uint64_t cycle) override;
  void settle(std::uint64_t cycle) override;
  std::uint64_t show(std::uint64_t cycle) override;
  void report(StatSink& sink) const override;
  void trace(WaveSink& sink) override;
  void trace_state(WaveSink& sink) override;

  /// Who chooses for a warp when kernels share the SM.
  enum Chooser : unsigned { kByRecover, kByGreedy, kByFair };
  static constexpr unsigned kChoosers = 3;

  /// Kernels share the SM: a scheduler chooses among favoured() first, and then among the others, each warp
  /// by its chooser.
  bool shares() const { return config_.decider == IpawsDecider::kSmPair; }
  WarpMask favoured() const { return favoured_; }
  WarpMask convex() const { return convex_warps_; }
  /// The warps that `chooser` has in the choice of `cycle`.
  WarpMask chosen_by(unsigned chooser, std::uint64_t cycle) const {
    const WarpMask adapted = cycle == changed_at_ ? adapted_before_ : adapted_warps_;
    const WarpMask recovering = phase_of_choice(cycle) == IpawsPhase::kRecover ? adapted : 0;
    if (chooser == kByRecover) return recovering;
    return ~recovering & (chooser == kByFair ? convex_warps_ : ~convex_warps_);
  }

  const IssuePattern& pattern() const { return pattern_; }
  const IpawsRecord& record() const { return record_; }

 protected:
  bool greedy_chosen() const override;

 private:
  /// A kernel of which the SM holds TBs.
  struct Resident {
    std::uint64_t launch = 0;
    unsigned tbs = 0;
    WarpMask warps = 0;
  };
  /// Registers and logic beside those of the pattern: what the members of the same names are in.
  struct Parts {
    Parts(const hw::Owner& owner, const GpuConfig& gpu);
    hw::Register launch;
    hw::Comparator newer;
    hw::Comparator of_launch;
    hw::BitVector tbs;
    hw::BitVector of_kernel;
    hw::BitVector waiting;
    hw::Register phase;
  };

  void remember(std::uint64_t cycle, std::uint64_t launch, bool convex);
  bool is_adapted(std::uint64_t launch) const { return ((launch ^ launch_) & launch_mask_) == 0; }
  Resident& resident(std::uint64_t launch);
  bool adopts(const TbEvent& event);
  std::uint64_t favoured_launch() const;
  void set_favour();

  void begin_kernel(const TbEvent& event);
  void end_adapting(std::uint64_t cycle);
  /// Before anything of `cycle`: judges, if what came before it ended the Adapt phase.
  void catch_up(std::uint64_t cycle) {
    if (judge_due_ && cycle > ended_at_) judge(ended_at_);
  }
  void enter_after(std::uint64_t cycle, IpawsPhase phase);
  bool caught_up(std::uint64_t cycle);
  void judge(std::uint64_t cycle);
  bool ends_adapting(unsigned warp) const;
  void note_recover_target();
  void decide(std::uint64_t cycle, bool convex);
  std::uint64_t finish_judgement(std::uint64_t cycle);
  void finish_recovery(std::uint64_t cycle);
  bool adapting() const { return phase() == IpawsPhase::kAdapt; }

  const WarpTable& table_;
  const IpawsParameters config_;
  std::optional<NoteLink> link_;  ///< to the other SMs, when one decides for others
  IssuePattern pattern_;
  StallRule stall_rule_;
  std::unique_ptr<LeastIssuedOrder> least_issued_;  ///< with the Recover phase only
  std::optional<KernelEnds> ends_;                  ///< likewise, unless a TB's end ends the Adapt phase
  IpawsDecisions decisions_;
  Parts parts_;
  IpawsRecord record_;

  unsigned sm_;
  const bool hardware_;
  bool traced_ = false;
  const std::uint64_t launch_mask_;
  bool any_kernel_ = false;
  std::uint64_t launch_ = 0;                               ///< the kernel that is adapted to
  std::uint64_t tbs_ = 0;                                  ///< its TBs since it is, by slot
  WarpMask of_kernel_ = 0;                                 ///< its warps, as long as they run
  WarpMask waiting_ = 0;                                   ///< its warps at barriers since an earlier cycle
  std::uint64_t issued_at_ = SharedPolicy::kNever;         ///< cycle of the last issue
  std::vector<Resident> residents_;                        ///< in the order of their launches
  std::array<std::uint64_t, kMaxWarps> launch_of_slot_{};  ///< by TB slot
  WarpMask favoured_ = ~WarpMask{0};
  WarpMask convex_warps_ = 0;   ///< of kernels that were decided to be convex
  WarpMask adapted_warps_ = 0;  ///< shares(): of the kernel that is adapted to

  bool judge_due_ = false;      ///< hardware timing: the Adapt phase ended in the cycle ended_at_
  std::uint64_t ended_at_ = 0;  ///< likewise
  std::uint64_t begun_at_ = SharedPolicy::kNever;  ///< hardware timing: cycle of the kernel's first TB
  std::uint64_t changed_at_ =
      SharedPolicy::kNever;                        ///< hardware timing: in this cycle it is not the phase yet
  IpawsPhase phase_before_ = IpawsPhase::kAdapt;   ///< but this one
  WarpMask adapted_before_ = 0;                    ///< shares(): of the kernel that it is the phase of
  std::uint64_t asked_at_ = SharedPolicy::kNever;  ///< last cycle in which the end of Recover was looked for
  bool convex_ = false;                            ///< result of the judgement under way
  std::uint64_t result_at_ = 0;                    ///< kJudge: cycle at which it is there
  bool posted_ = false;                            ///< kJudge: the result waits to be read
  unsigned newest_ = kNoWarp;                      ///< kRecover ends with this warp ...
  bool newest_finished_ = false;                   ///< ... at its exit at the latest
  std::uint64_t target_ = 0;                       ///< ... or when it has issued so many instructions
};

}  // namespace heddle
