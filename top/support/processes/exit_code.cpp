#include "top/support/processes/exit_code.h"

#include <fmt/format.h>

namespace heddle {

namespace {

constexpr int kFirstSignalCode = 128;

}  // namespace

std::string status_of(int code) {
  switch (static_cast<ExitCode>(code)) {
    case ExitCode::kOk:
      return "complete";
    case ExitCode::kCheckFailed:
      return "check failed";
    case ExitCode::kUsage:
      return "bad options";
    case ExitCode::kBadInput:
      return "bad input";
    case ExitCode::kProgramFault:
      return "fault";
    case ExitCode::kDeadlock:
      return "deadlock";
    case ExitCode::kNoOutput:
      return "no results";
    case ExitCode::kCycleLimit:
      return "cycle limit";
    case ExitCode::kOutOfMemory:
      return "out of memory";
    case ExitCode::kMemoryLimit:
      return "memory limit";
    case ExitCode::kTimeLimit:
      return "time limit";
    case ExitCode::kPolicyDeadlock:
      return "policy deadlock";
    case ExitCode::kInterrupted:
      return "interrupted";
    default:
      break;
  }
  return is_signal(code) ? fmt::format("crash (signal {})", code - kFirstSignalCode)
                         : fmt::format("crash (exit code {})", code);
}

bool is_signal(int code) { return code > kFirstSignalCode; }

}  // namespace heddle
