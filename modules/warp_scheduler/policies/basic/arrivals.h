#pragma once

#include <algorithm>

#include "hw/logic/priority_selector.h"
#include "hw/storage/bit_vector.h"
#include "modules/warp_scheduler/policy.h"

namespace heddle {

/// Warps that start together and enter an order that takes one a cycle: in hardware timing the lowest slot of
/// those that wait first, in ideal timing all at once. A bit per warp and a selector. Plain C++.
///
/// In hardware timing a warp enters in the cycle in which it starts, or, `registered`, in the cycle after
/// that at the earliest: the selector reads the bits then, and the order has the warp from one cycle later
/// on.
class Arrivals {
 public:
  static constexpr std::uint64_t kNever = SchedulingPolicy::kNever;

  Arrivals(const hw::Owner& owner, unsigned warps, bool registered = false)
      : waiting_(owner, "arriving_warps", warps),
        next_(owner, "arrival_selector", warps, hw::SelectorForm::kFixed),
        one_a_cycle_(owner.timing == hw::Timing::kHardware),
        registered_(registered) {
    owner.note("arriving_warps", "warps that are to enter the order, one a cycle");
  }

  WarpMask waiting() const { return waiting_.value(); }
  /// When the next one can be in the order; kNever when none waits.
  std::uint64_t next() const {
    if (waiting() == 0) return kNever;
    return registered_ ? enter_at_ + 1 : enter_at_;
  }

  /// Hardware timing: a warp enters in `cycle`, a past one included, or may.
  bool restless(std::uint64_t cycle) const { return waiting() != 0 || cycle < enter_at_; }

  /// `warps` start: enter(cycle, warp) is called for each that enters until `cycle`, in the order of time.
  template <class Enter>
  void start(std::uint64_t cycle, WarpMask warps, Enter enter) {
    if (!one_a_cycle_) {
      for (; warps != 0; warps &= warps - 1) enter(cycle, lowest_warp(warps));
      return;
    }
    advance(cycle, enter);
    if (waiting() == 0) enter_at_ = std::max(enter_at_, cycle + (registered_ ? 1 : 0));
    waiting_.set_bits(warps);
    fresh_ = fresh_at_ == cycle ? fresh_ | warps : warps;
    fresh_at_ = cycle;
    advance(cycle, enter);
  }
  /// Makes up what is in the order by `cycle`.
  template <class Enter>
  void advance(std::uint64_t cycle, Enter enter) {
    for (; waiting() != 0 && enter_at_ + (registered_ ? 1 : 0) <= cycle; ++enter_at_) {
      const WarpMask seen = registered_ && enter_at_ <= fresh_at_ ? waiting() & ~fresh_ : waiting();
      if (seen == 0) continue;
      const unsigned warp = next_.select(seen);
      waiting_.clear_bits(warp_bit(warp));
      enter(enter_at_, warp);
    }
  }
  /// Nobody is to enter any more.
  void clear() {
    if (waiting() != 0) waiting_.load(0);
  }
  /// A warp ends; true when it had not entered.
  bool drop(unsigned warp) {
    if ((waiting() >> warp & 1U) == 0) return false;
    waiting_.clear_bits(warp_bit(warp));
    return true;
  }

 private:
  hw::BitVector waiting_;
  hw::PrioritySelector next_;
  bool one_a_cycle_;
  bool registered_;
  WarpMask fresh_ = 0;  ///< started in fresh_at_
  std::uint64_t fresh_at_ = 0;
  std::uint64_t enter_at_ = 0;  ///< when the next warp can enter
};

}  // namespace heddle
