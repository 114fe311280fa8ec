#pragma once

#include "hw/order/age_order.h"
#include "modules/warp_scheduler/policy.h"

namespace heddle {

/// Keeps the order in which the warps of one scheduler were launched, in an age matrix, "age_order".
class WarpAges {
 public:
  WarpAges(const hw::Owner& owner, const PolicyContext& context);

  void start(std::uint64_t cycle, unsigned warp) { order_.append(cycle, warp); }
  void finish(unsigned warp) { order_.remove(warp); }

  /// The oldest of `mask`, or kNoWarp. A second call in a cycle passes over what the first one found.
  unsigned oldest(std::uint64_t cycle, WarpMask mask) {
    if (asked_at_ == cycle) return order_.next_oldest(mask);
    asked_at_ = cycle;
    return order_.oldest(cycle, mask);
  }

  hw::TimingPath choice_path() const { return order_.structure().path; }
  void trace(WaveSink& sink) const { order_.trace(sink); }

 private:
  static_assert(hw::kNoInput == kNoWarp);

  std::uint64_t asked_at_ = ~std::uint64_t{0};
  hw::AgeOrder order_;
};

}  // namespace heddle
