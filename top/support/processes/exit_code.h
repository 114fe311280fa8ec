#pragma once

#include <string>

namespace heddle {

/// What `heddle` returns to the shell (docs/command-line.md).
enum class ExitCode : int {
  kOk = 0,
  kCheckFailed = 1,   ///< the run is complete but an output differs from its reference
  kUsage = 2,         ///< the command line
  kBadInput = 3,      ///< configuration, workload or PTX
  kProgramFault = 4,  ///< the simulated program: out of bounds, misaligned, trap
  kDeadlock = 5,      ///< the simulated program
  kNoOutput = 6,      ///< results can't be written, or those read are of another run
  kCycleLimit = 7,    ///< --max-cycles was reached
  kUnpriced = 8,      ///< what the scheduler costs is not known: a policy is built of no parts
  kOutOfMemory = 9,
  kMemoryLimit = 10,     ///< the memory budget was used up
  kTimeLimit = 11,       ///< --max-seconds was reached
  kPolicyDeadlock = 12,  ///< a scheduler's or dispatch policy holds back what could go on
  kTwinDiffers = 13,     ///< --impl: a twin and the model have chosen differently
  kInternal = 70,        ///< a defect of the simulator
  kInterrupted = 130,
};

/// "complete", "check failed", "deadlock", "time limit" and so on, by exit code.
std::string status_of(int code);

/// A signal has ended the process, which may be none of its own doing.
bool is_signal(int code);

}  // namespace heddle
