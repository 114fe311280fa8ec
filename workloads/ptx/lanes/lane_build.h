#pragma once

#include <cstdint>

#include "workloads/ptx/lanes/bound_operation.h"

namespace heddle::ptx {

/// What a look at the addresses of a warp's access found.
struct Probe {
  LaneMask outside = 0;      ///< active lanes whose access is not inside the range, or misaligned
  bool consecutive = false;  ///< all lanes are active, each right after the one before
};

/// A build of the lane handlers for one instruction set. All builds compute the same bits.
struct LaneBuild {
  const char* name;
  /// The handler of an arithmetic operation or of an ld or st, nullptr when there is none.
  Handler (*select)(const Operation& operation);
  /// Base register plus offset, per lane; all 32 lanes are written.
  void (*addresses)(const LaneContext& context, const BoundOperation& bound, std::uint64_t* address);
  /// Checks accesses of `access_bytes` (a power of two) against [begin, begin + bytes).
  Probe (*probe)(LaneMask active, const std::uint64_t* address, std::uint64_t begin, std::uint64_t bytes,
                 std::uint64_t access_bytes);
};

const LaneBuild& baseline_lane_build();
/// nullptr when this host has no AVX2 and FMA.
const LaneBuild* avx2_lane_build();
/// The fastest build that this host can run.
const LaneBuild& lane_build();

}  // namespace heddle::ptx
