#include "workloads/ptx/execution/execute.h"
#include "workloads/ptx/execution/execute_atomics.h"
#include "workloads/ptx/execution/execute_bind.h"

namespace heddle::ptx {

bool is_executable(const Operation& operation) {
  switch (step_kind(operation)) {
    case StepKind::kLanes:
    case StepKind::kMemory:
      return baseline_lane_build().select(operation) != nullptr;
    case StepKind::kAtomic:
      return select_atomic(operation) != nullptr;
    default:
      return true;
  }
}

}  // namespace heddle::ptx
