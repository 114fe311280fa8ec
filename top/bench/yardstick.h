#pragma once

#include <cstdint>

namespace heddle::bench {

/// A fixed computation of the kind that a simulator is made of: dependent look-ups in a table that fits the
/// second-level cache, integer arithmetic and branches that can't be predicted. Simulation speeds are given
/// per its time, so that a slow or busy machine slows both.
class Yardstick {
 public:
  /// Computes once and returns the CPU seconds of the calling thread. Throws std::runtime_error when the
  /// result is not the known one.
  double run();

 private:
  static constexpr std::uint32_t kEntries = 1U << 16U;  ///< of 4 bytes: 256 KB
  static constexpr std::uint32_t kSteps = 12'000'000;

  std::uint32_t table_[kEntries] = {};
  std::uint32_t result_ = 0;
};

}  // namespace heddle::bench
