#include "top/machine/run_result.h"

namespace heddle {

const char* to_string(RunEnd end) {
  switch (end) {
    case RunEnd::kComplete:
      return "complete";
    case RunEnd::kInterrupted:
      return "interrupted";
    case RunEnd::kCycleLimit:
      return "cycle limit";
    case RunEnd::kMemoryLimit:
      return "memory limit";
    case RunEnd::kTimeLimit:
      return "time limit";
    case RunEnd::kDeadlock:
      return "deadlock";
    case RunEnd::kPolicyDeadlock:
      return "policy deadlock";
    case RunEnd::kFault:
      return "fault";
    default:
      return "bad input";
  }
}

RunEnd run_end_of(StopCause cause) {
  switch (cause) {
    case StopCause::kMemory:
      return RunEnd::kMemoryLimit;
    case StopCause::kTime:
      return RunEnd::kTimeLimit;
    default:
      return RunEnd::kInterrupted;
  }
}

}  // namespace heddle
