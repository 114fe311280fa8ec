#pragma once

#include <cstdint>
#include <vector>

#include "base/ticks.h"
#include "top/support/cycle_window.h"

namespace heddle {

/// Sums for each interval of a window of cycles, the first from the window's begin on. Intervals have a power
/// of two of cycles and can be doubled.
class CounterTrack {
 public:
  static constexpr Cycle kShortest = 16;

  explicit CounterTrack(CycleWindow window) : window_(window) {}

  /// Counts an event of `cycle`.
  void count(Cycle cycle) {
    if (cycle >= window_.from && cycle < window_.to) ++at((cycle - window_.from) >> shift_);
  }
  /// Adds `level` for each cycle of [from, to).
  void add(Cycle from, Cycle to, std::uint64_t level);
  /// Intervals become twice as long.
  void widen();

  Cycle interval() const { return Cycle{1} << shift_; }
  /// Up to the last one with something in it.
  const std::vector<std::uint64_t>& sums() const { return sums_; }

 private:
  static constexpr unsigned kShortestShift = 4;
  static_assert(kShortest == Cycle{1} << kShortestShift);

  std::uint64_t& at(std::size_t index) {
    if (index >= sums_.size()) sums_.resize(index + 1);
    return sums_[index];
  }

  CycleWindow window_;
  unsigned shift_ = kShortestShift;
  std::vector<std::uint64_t> sums_;
};

}  // namespace heddle
