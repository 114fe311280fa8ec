#pragma once

#include <cstdint>

#include "workloads/host/host_program.h"
#include "workloads/launch/kernel_launch.h"

namespace heddle {

/// What a run without timing executed.
struct FunctionalCounts {
  std::uint64_t launches = 0;
  std::uint64_t thread_blocks = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< active lanes, summed over the warp instructions

  FunctionalCounts& operator+=(const FunctionalCounts& other);
};

/// All warps of a TB wait at barriers that can never be met. what() says which warp waits where.
class BarrierDeadlock : public ExecutionFault {
 public:
  using ExecutionFault::ExecutionFault;
};

/// Runs one launch without timing, one TB after the other, the warps of a TB in turn with one instruction
/// each. Throws ExecutionFault and BarrierDeadlock.
FunctionalCounts run_functionally(KernelLaunch& launch);

/// Runs the whole host program in that way, one stream after the other.
FunctionalCounts run_functionally(HostProgram& program);

}  // namespace heddle
