#pragma once

#include <string>

#include "hw/logic/priority_selector.h"
#include "hw/storage/register.h"
#include "modules/warp_scheduler/policies/basic/own_warps.h"

namespace heddle {

/// Takes the first warp after the one that issued last, in slot order and around, by a rotating selector and
/// a register with the slot to begin with. A selection fits into a cycle in hardware timing too.
class RoundRobin {
 public:
  /// Of `warps`. `suffix` tells the parts from those of others of the same owner.
  RoundRobin(const hw::Owner& owner, const std::string& suffix, const OwnWarps& warps);

  /// One of `among`, which has none but its warps; kNoWarp when that is empty.
  unsigned select(WarpMask among) {
    if (among == 0) return kNoWarp;
    return selector_.select_from(among, warps_.warp(static_cast<unsigned>(start_.value())));
  }
  void issued(unsigned warp, std::uint64_t cycle) {
    const unsigned next = warps_.number(warp) + 1;
    start_.write(cycle, next == warps_.count() ? 0 : next);
  }
  hw::TimingPath choice_path() const { return selector_.structure().path; }
  void trace(WaveSink& sink) const { start_.trace(sink); }

 private:
  static_assert(hw::kNoInput == kNoWarp);

  OwnWarps warps_;
  hw::PrioritySelector selector_;
  hw::Register start_;
};

}  // namespace heddle
