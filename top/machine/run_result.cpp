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

}  // namespace heddle
