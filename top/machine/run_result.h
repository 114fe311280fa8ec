#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/stop.h"
#include "modules/tb_dispatcher/resources/occupancy.h"
#include "top/machine/stat_registry.h"

namespace heddle {

/// How a simulation ended.
enum class RunEnd : std::uint8_t {
  kComplete,
  kInterrupted,
  kCycleLimit,
  kMemoryLimit,
  kTimeLimit,
  kDeadlock,
  kPolicyDeadlock,
  kFault,
  kBadInput
};
const char* to_string(RunEnd end);
/// Of a run that was asked to end; not for kNone.
RunEnd run_end_of(StopCause cause);

/// One kernel launch. Cycles are of the core clock, from the launch until nothing of it is in flight; for
/// concurrent kernels, from the arrival until the dispatcher has seen the last TB end.
struct LaunchResult {
  std::uint64_t id = 0;    ///< in the order in which they were given to the GPU, from 0
  std::size_t stream = 0;  ///< of RunResult::streams; 0 without
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  Occupancy occupancy;
  unsigned spilled_bytes_per_thread = 0;  ///< local memory, for want of registers
  std::uint64_t first_cycle = 0;
  std::uint64_t cycles = 0;
  std::uint64_t start_delay_cycles = 0;  ///< concurrent, complete: from its arrival to its first TB
  std::uint64_t alone_cycles = 0;        ///< concurrent: run time alone, where it is known
  bool complete = false;
  StatValues values;  ///< of this launch alone, by RunResult::launch_registry
};

/// One stream of concurrent kernels: launches in order.
struct StreamResult {
  std::string name;
  std::uint64_t arrival_cycle = 0;  ///< of its first launch
  std::uint64_t cycles = 0;         ///< from then to the end of its last launch: turnaround
  std::uint64_t alone_cycles = 0;   ///< turnaround alone, when it is known
  bool complete = false;
};

struct RunResult {
  RunEnd end = RunEnd::kComplete;
  std::string reason;        ///< "" when complete
  std::uint64_t cycles = 0;  ///< of all launches
  StatValues values;         ///< of the whole run
  std::vector<LaunchResult> launches;
  std::vector<StreamResult> streams;  ///< of concurrent kernels only
  /// Sockets at which foreign modules are bound (SocketPeers).
  std::vector<std::string> foreign_modules;
  /// What launches[].values mean when kernels ran at the same time; nullptr: what the blocks report.
  std::shared_ptr<const StatRegistry> launch_registry;
};

}  // namespace heddle
