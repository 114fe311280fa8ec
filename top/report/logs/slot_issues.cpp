#include "top/report/logs/slot_issues.h"

namespace heddle {

void SlotIssues::add(unsigned warp_slot, Cycle now) {
  while (now / interval_ >= kMostIntervals) make_longer();
  const std::size_t place = now / interval_;
  if (warps_.front().size() <= place) {
    for (std::vector<std::uint64_t>& warp : warps_) warp.resize(place + 1);
  }
  ++warps_[warp_slot][place];
}

/// Two intervals become one.
void SlotIssues::make_longer() {
  interval_ *= 2;
  for (std::vector<std::uint64_t>& warp : warps_) {
    const std::size_t half = (warp.size() + 1) / 2;
    warp.resize(2 * half);
    for (std::size_t i = 0; i < half; ++i) warp[i] = warp[2 * i] + warp[2 * i + 1];
    warp.resize(half);
  }
}

}  // namespace heddle
