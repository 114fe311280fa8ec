#pragma once

#include <algorithm>

#include "modules/warp_scheduler/policy.h"

namespace heddle {

/// Why parts of the plain schedulers are not in a paper's byte total.
constexpr const char* kBaselineNote =
    "part of a scheduler that the policy stands on or is compared with; papers count what comes on top";

/// Warp slots at equal distances, such as those of one scheduler, numbered from 0 on: parts hold these
/// numbers, which are shorter.
class OwnWarps {
 public:
  OwnWarps(unsigned first, unsigned stride, unsigned count)
      : first_(first), stride_(stride), count_(count), share_((kOne + stride - 1) / stride) {}
  /// The warps of a scheduler; at least one, so that its parts have a size.
  explicit OwnWarps(const PolicyContext& context)
      : OwnWarps(context.scheduler, context.gpu.core.schedulers,
                 std::max(1u, static_cast<unsigned>(__builtin_popcountll(context.supervised())))) {}

  unsigned count() const { return count_; }
  unsigned warp(unsigned number) const { return first_ + number * stride_; }
  /// Division by the stride, without dividing: exact for warps and strides up to 64.
  unsigned number(unsigned warp) const { return (warp - first_) * share_ / kOne; }
  unsigned stride() const { return stride_; }
  WarpMask mask() const {
    WarpMask all = 0;
    for (unsigned i = 0; i < count_; ++i) all |= warp_bit(warp(i));
    return all;
  }

 private:
  static constexpr unsigned kOne = 1U << 24;

  unsigned first_;
  unsigned stride_;
  unsigned count_;
  unsigned share_;  ///< of kOne that a warp slot is
};

/// Of the register with the number of one of `count` things: of one alone it never changes, and is not
/// priced.
inline hw::Owner owner_of_number(hw::Owner owner, unsigned count) {
  if (count == 1) owner.inventory = nullptr;
  return owner;
}

}  // namespace heddle
