#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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

/// What a cause lets the estimates be off by: of cycles, and of each total that is a count. The causes are
/// taken as independent: the root of the sum of their squares is half the 95% confidence interval.
struct SampleDeviation {
  double cycles = 0;
  std::vector<double> counts = {};
  bool of_all_launches = false;  ///< the same cause in each launch of a run: what it makes of them adds up

  void add(const SampleDeviation& other);
};

/// Adds `deviations`, times a factor, to those in `to`: a cause of all launches to what it makes of others.
void add_deviations(std::vector<SampleDeviation>& to, const std::vector<SampleDeviation>& deviations,
                    double factor = 1);

/// How a launch was sampled (`heddle run --sample`), or why it was not.
struct LaunchSampling {
  std::string in_full;  ///< why all of it was simulated; "" when some of it was not
  std::uint64_t simulated_cycles = 0;
  std::uint64_t fast_forwarded_tbs = 0;
  std::uint64_t fast_forwarded_warp_instructions = 0;
  std::uint64_t phases = 0;   ///< told apart by what TBs execute
  std::uint64_t windows = 0;  ///< that the estimate is of, each a round of TBs
  std::vector<SampleDeviation> deviations;

  bool sampled() const { return fast_forwarded_tbs != 0; }
};

/// The same of a whole run.
struct RunSampling {
  std::string in_full;  ///< why all launches were simulated in full; "": see them
  std::uint64_t simulated_cycles = 0;
  std::uint64_t sampled_launches = 0;
  std::uint64_t fast_forwarded_tbs = 0;
  std::vector<SampleDeviation> deviations;

  bool sampled() const { return sampled_launches != 0; }
  /// Those of a launch, or of so many that are off alike.
  void add(const std::vector<SampleDeviation>& of_launch, double launches = 1) {
    add_deviations(deviations, of_launch, launches);
  }
};

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
  std::uint64_t first_cycle = 0;          ///< of the core clock since time 0
  std::uint64_t cycles = 0;
  std::uint64_t start_delay_cycles = 0;  ///< concurrent, complete: from its arrival to its first TB
  std::uint64_t alone_cycles = 0;        ///< concurrent: run time alone, where it is known
  bool complete = false;
  StatValues values;                       ///< of this launch alone, by RunResult::launch_registry
  std::optional<LaunchSampling> sampling;  ///< it was wanted; then cycles and counts may be estimates
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
  std::vector<StreamResult> streams;    ///< of concurrent kernels only
  std::optional<RunSampling> sampling;  ///< it was wanted; then cycles and counts may be estimates
  /// Sockets at which foreign modules are bound (SocketPeers).
  std::vector<std::string> foreign_modules;
  /// What launches[].values mean when kernels ran at the same time; nullptr: what the blocks report.
  std::shared_ptr<const StatRegistry> launch_registry;
};

}  // namespace heddle
