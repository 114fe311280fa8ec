#pragma once

#include <array>
#include <cstdint>

#include "workloads/launch/instruction.h"

namespace heddle {

/// What thread blocks have executed.
struct TbWork {
  /// Which instructions: each belongs to one of so many parts of the program, by its place.
  static constexpr unsigned kParts = 32;

  std::uint64_t tbs = 0;  ///< that have ended
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;        ///< active lanes, summed over the warp instructions
  std::array<std::uint64_t, kParts> of_part{};  ///< warp instructions

  /// A warp has executed the instruction at `index` for `active` lanes.
  void add(std::uint32_t index, LaneMask active) {
    ++warp_instructions;
    ++of_part[part_of(index)];
    thread_instructions +=
        active == kAllLanes ? kWarpSize : static_cast<unsigned>(__builtin_popcount(active));
  }
  TbWork& operator+=(const TbWork& other) {
    tbs += other.tbs;
    warp_instructions += other.warp_instructions;
    thread_instructions += other.thread_instructions;
    for (unsigned part = 0; part < kParts; ++part) of_part[part] += other.of_part[part];
    return *this;
  }

 private:
  /// Instructions that follow each other belong to different parts, so that a loop shows in many of them.
  static unsigned part_of(std::uint32_t index) {
    constexpr std::uint32_t kSpread = 2654435761U;  // 2^32 over the golden ratio
    constexpr unsigned kShift = 27;
    static_assert(kParts == 1U << (32 - kShift));
    return (index * kSpread) >> kShift;
  }
};

}  // namespace heddle
