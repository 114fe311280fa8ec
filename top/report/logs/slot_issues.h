#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ticks.h"

namespace heddle {

/// How many instructions each warp slot of an SM issued in each interval of the run. Intervals get longer as
/// the run does, so that there are at most kMostIntervals.
class SlotIssues {
 public:
  static constexpr std::size_t kMostIntervals = 128;
  static constexpr Cycle kShortest = 64;  ///< core cycles

  explicit SlotIssues(unsigned warp_slots) : warps_(warp_slots) {}

  /// An instruction of the warp slot issues at core cycle `now`; times never go back.
  void add(unsigned warp_slot, Cycle now);
  Cycle interval() const { return interval_; }
  /// By warp slot, all as long as the run so far.
  const std::vector<std::vector<std::uint64_t>>& warps() const { return warps_; }

 private:
  void make_longer();

  Cycle interval_ = kShortest;
  std::vector<std::vector<std::uint64_t>> warps_;
};

}  // namespace heddle
