#pragma once

#include <array>
#include <optional>

#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/logic/multiplexer.h"
#include "hw/order/age_order.h"
#include "hw/storage/counter_array.h"
#include "hw/storage/register.h"
#include "modules/config/gpu_config.h"
#include "modules/messages/ids.h"
#include "modules/warp_scheduler/policies/basic/arrivals.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// The instruction-issue pattern of an SM's warps (iPAWS 3.2, 3.3, Algorithm 1): a score and a stall counter
/// per member, and the machine that judges from them. A member is a warp, or a TB whose warps share counters
/// (iPAWS 3.5).
///
/// The machine walks over the order of age, a member a step: first for the most stalls, then for the sum and
/// the maximum of the scores; multiplies a bit a step; compares. In hardware timing warps enter the order one
/// a cycle, from the cycle after their start on.
class IssuePattern {
 public:
  struct Verdict {
    bool convex = false;
    unsigned members = 0;           ///< with counters in use: the paper's "MAX"
    unsigned of_interest = 0;       ///< W: the member with the most stalls and all older ones
    std::uint64_t score_sum = 0;    ///< over the members of interest
    std::uint64_t score_max = 0;    ///< likewise
    std::uint64_t half_sum = 0;     ///< W x score_max: twice the threshold
    std::uint64_t time_cycles = 0;  ///< from the judgement to its result; 0 in ideal timing
  };

  /// `owner` gets the parts.
  IssuePattern(const hw::Owner& owner, const GpuConfig& gpu);

  /// All counters 0, no members.
  void clear();
  /// A TB comes to this slot: counters that the one before had start over.
  void start_tb(TbSlot tb_slot) {
    if (per_tb_) leave(tb_slot.value());
  }
  /// The member of this warp in this TB slot is the youngest, in the place of the one that had its counters;
  /// nothing when its TB is a member already.
  void start(std::uint64_t cycle, WarpSlot warp, TbSlot tb_slot);

  void count_issue(WarpSlot warp, TbSlot tb_slot) { score_.count(member(warp, tb_slot)); }
  /// A cycle in which some warp issued and the warps of `waiting` stood at barriers.
  void count_barrier(WarpMask waiting, const WarpTable& table);
  /// The oldest of `among` is charged `cycles` cycles, the last of them `cycle`.
  void count_stall(std::uint64_t cycle, std::uint64_t cycles, WarpMask among, const WarpTable& table);
  /// `warp` is.
  void charge(WarpSlot warp, std::uint64_t cycles) { stall_.count(warp.value(), 1, cycles); }

  /// Algorithm 1 over the counters as they stand after `cycle`; they must not change for
  /// Verdict::time_cycles. Warps that have not entered the order by then do not any more.
  Verdict judge(std::uint64_t cycle);

  /// Cycles of a step of each of the machine's walks.
  struct StepCycles {
    unsigned stall = 0;
    unsigned score = 0;
    unsigned add = 0;  ///< of the product
    unsigned decide = 0;
  };
  StepCycles step_cycles() const;

  unsigned members() const { return order_.size(); }
  /// By age, 0 the oldest; below members().
  unsigned member_at(unsigned position) const { return order_.at(position); }
  std::uint64_t score(unsigned member) const { return score_.value(member); }
  std::uint64_t stalls(unsigned member) const { return stall_.value(member); }

  void trace(WaveSink& sink) const;

 private:
  /// Walks of the machine.
  enum State : std::uint8_t { kIdle, kStalls, kScores, kProduct };

  static hw::CounterArrayShape counters(const GpuConfig& gpu, unsigned amount_bits);
  static hw::AgeOrderShape order(const GpuConfig& gpu);
  void enter(std::uint64_t cycle);
  void append(std::uint64_t at, unsigned entering);
  std::uint64_t in_order(std::uint64_t cycle, std::uint64_t members) const;
  unsigned oldest_of(std::uint64_t members) const;
  unsigned member(WarpSlot warp, TbSlot tb_slot) const { return per_tb_ ? tb_slot.value() : warp.value(); }
  std::uint64_t members_of(WarpMask warps, const WarpTable& table) const;
  void leave(unsigned member);
  std::uint64_t read(std::uint64_t cycle, unsigned position, hw::CounterArray& counters);
  unsigned last_of_interest(std::uint64_t& cycle);
  void add_scores(std::uint64_t& cycle, unsigned last, Verdict& verdict);
  std::uint64_t multiply(std::uint64_t& cycle, std::uint64_t a, unsigned b);
  std::uint64_t threshold(std::uint64_t& cycle, std::uint64_t half_sum);

  bool per_tb_;
  bool warps_of_interest_;
  unsigned convex_eighths_;
  const bool hardware_;
  unsigned product_steps_;
  hw::CounterArray score_;
  hw::CounterArray stall_;
  hw::AgeOrder order_;
  std::optional<Arrivals> arrivals_;  ///< of warps; TBs come one a cycle
  hw::Multiplexer place_;             ///< the member of a step, and whether another follows
  hw::Comparator comparator_;
  hw::Multiplexer compared_;
  hw::Adder adder_;
  hw::Multiplexer added_;
  hw::Register read_;         ///< the counter that a step works on
  hw::Multiplexer read_of_;   ///< stalls or a score
  hw::Register work_;         ///< the most stalls so far, then the product
  hw::Register of_interest_;  ///< so many members, up to the one with the most stalls
  hw::Register sum_;
  hw::Register max_;
  hw::Register position_;                                 ///< of the step
  hw::Register wait_;                                     ///< cycles that the step has taken
  hw::Register state_;                                    ///< which of the machine's walks is under way
  std::uint64_t stall_cycles_;                            ///< a step of the search for the most stalls
  std::uint64_t score_cycles_;                            ///< a step of the sum
  std::uint64_t add_cycles_;                              ///< a step of the product
  std::uint64_t decide_cycles_;                           ///< the comparison at the end
  std::array<std::uint64_t, kMaxWarps> in_order_from_{};  ///< by warp, of those that came as arrivals
  std::uint64_t last_entry_ = 0;                          ///< the last of these
  std::uint64_t append_at_ = 0;                           ///< next free cycle of the age order's input
};

}  // namespace heddle
