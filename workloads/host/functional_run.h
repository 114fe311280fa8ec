#pragma once

#include <cstdint>
#include <functional>

#include "workloads/host/host_program.h"
#include "workloads/launch/functional_tb.h"
#include "workloads/launch/kernel_launch.h"

namespace heddle {

/// What a run without timing executed.
struct FunctionalCounts {
  std::uint64_t launches = 0;
  std::uint64_t thread_blocks = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< active lanes, summed over the warp instructions
  bool complete = true;                   ///< false: FunctionalLimits ended it

  FunctionalCounts& operator+=(const FunctionalCounts& other);
};

struct FunctionalLimits {
  /// How many TBs of a launch run side by side at most, as a machine holds them; not set: one.
  std::function<std::uint64_t(const KernelLaunch&)> resident_tbs;
  std::uint64_t warp_instructions = 0;  ///< the run ends after so many; 0: no limit
};

/// Runs one launch without timing, the warps of a TB in turn with some instructions each. TBs run one after
/// the other; one that takes long, as it may wait for what a later one writes, takes turns with those after
/// it. Throws ExecutionFault and BarrierDeadlock.
FunctionalCounts run_functionally(KernelLaunch& launch, const FunctionalLimits& limits = {});

/// Runs the whole host program in that way, one stream after the other.
FunctionalCounts run_functionally(HostProgram& program, const FunctionalLimits& limits = {});

}  // namespace heddle
