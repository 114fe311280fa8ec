#pragma once

#include <array>
#include <cstdint>

#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// Warp slots in an order of their own (age, waiting time): appended at the end, removed anywhere.
class WarpList {
 public:
  void append(unsigned warp) {
    warps_[size_++] = static_cast<std::uint8_t>(warp);
    members_ |= warp_bit(warp);
  }

  /// Removes `warp` if it is in the list; keeps the order of the others.
  void remove(unsigned warp) {
    unsigned kept = 0;
    for (unsigned i = 0; i < size_; ++i) {
      if (warps_[i] != warp) warps_[kept++] = warps_[i];
    }
    size_ = kept;
    members_ &= ~warp_bit(warp);
  }

  /// The first of the list that is in `mask`, or kNoWarp.
  unsigned first_of(WarpMask mask) const {
    const WarpMask found = mask & members_;
    if (found == 0) return kNoWarp;
    if ((found & (found - 1)) == 0) return lowest_warp(found);
    unsigned i = 0;
    while ((found >> warps_[i] & 1U) == 0) ++i;
    return warps_[i];
  }

  bool empty() const { return size_ == 0; }

 private:
  WarpMask members_ = 0;
  std::array<std::uint8_t, kMaxWarps> warps_{};
  unsigned size_ = 0;
};

}  // namespace heddle
