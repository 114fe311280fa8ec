#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "workloads/launch/kernel_launch.h"
#include "workloads/ptx/execution/warp_storage.h"
#include "workloads/ptx/lanes/lane_build.h"

namespace heddle::ptx {

/// How an operation is stepped over.
StepKind step_kind(const Operation& operation);

/// The values that are the same for every thread of a launch.
struct LaunchShape {
  Dim3 grid;
  Dim3 block;
  unsigned warps_per_tb = 0;
  unsigned dynamic_shared_bytes = 0;
  unsigned total_shared_bytes = 0;
};

/// The rows of a thread block (RowBase::kBlockRows): ctaid x, y, z, then scratch for the sources and the
/// result of an operation whose operands are not rows of the width that its handler reads.
constexpr std::uint32_t kScratchSources = 3 * kRowBytes + kRowBytes;  // 64-bit rows start at a multiple
constexpr std::uint32_t kScratchResult = kScratchSources + 5 * kWideRowBytes;
constexpr std::uint32_t kBlockRowBytes = kScratchResult + kWideRowBytes;

/// The rows of a warp that do not depend on the block (RowBase::kWarpRows): tid x, y, z, warpid.
constexpr std::uint32_t kWarpRowBytes = 4 * kRowBytes;

/// The operations of a kernel bound for one launch: handlers chosen, immediates and constant special
/// registers spread to rows.
class BoundCode {
 public:
  BoundCode(const std::vector<Operation>& operations, const LaunchShape& shape, const LaneBuild& build);

  const std::vector<BoundOperation>& operations() const { return operations_; }
  std::uint8_t* constants() { return constants_.data(); }
  const LaneBuild& build() const { return build_; }

 private:
  void bind(const Operation& operation, const LaunchShape& shape);
  void bind_source(BoundOperation& bound, unsigned index, const LaunchShape& shape);
  RowRef special_row(Special special, const LaunchShape& shape, bool& dynamic);
  /// A row with `value` in every lane, 64 or 32 bits wide.
  RowRef constant_row(std::uint64_t value, bool wide);
  RowRef lane_mask_row(Special special);

  const LaneBuild& build_;
  std::vector<BoundOperation> operations_;
  AlignedBytes constants_;
  std::map<std::pair<std::uint64_t, bool>, RowRef> constant_rows_;
  std::map<Special, RowRef> lane_rows_;
};

}  // namespace heddle::ptx
