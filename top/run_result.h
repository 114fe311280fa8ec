#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "modules/tb_dispatcher/occupancy.h"
#include "top/stat_registry.h"

namespace heddle {

/// How a simulation ended.
enum class RunEnd : std::uint8_t { kComplete, kInterrupted, kCycleLimit, kDeadlock, kFault, kBadInput };
const char* to_string(RunEnd end);

/// One kernel launch. Cycles are of the core clock, from the launch until nothing of it is in flight.
struct LaunchResult {
  std::uint64_t id = 0;  ///< position in the workload, from 0
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  Occupancy occupancy;
  std::uint64_t first_cycle = 0;
  std::uint64_t cycles = 0;
  bool complete = false;
  StatValues values;  ///< of this launch alone
};

struct RunResult {
  RunEnd end = RunEnd::kComplete;
  std::string reason;        ///< "" when complete
  std::uint64_t cycles = 0;  ///< of all launches
  StatValues values;         ///< of the whole run
  std::vector<LaunchResult> launches;
};

}  // namespace heddle
