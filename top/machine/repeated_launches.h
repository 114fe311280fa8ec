#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "modules/tb_dispatcher/sampling/launch_repeats.h"
#include "modules/tb_dispatcher/sampling/rate_error.h"
#include "top/machine/estimated_counts.h"
#include "top/machine/gpu.h"
#include "top/machine/run_result.h"
#include "top/machine/stat_registry.h"
#include "workloads/launch/device_memory.h"

namespace heddle {

/// Launches that are not simulated, as launches before them were that did the same (LaunchRepeats): they are
/// executed without timing, and what they would have taken is that of the simulated ones by the work. To know
/// what a launch does it is executed before it may have to be simulated; the device's memory is kept
/// meanwhile. References are kept.
class RepeatedLaunches {
 public:
  RepeatedLaunches(Gpu& gpu, const StatRegistry& registry) : gpu_(gpu), registry_(registry) {}

  /// Executes the launch if that may spare its simulation. True: it is done, and `record` has its cycles,
  /// counts and sampling. False: it is to be simulated, from the memory that it found.
  bool skip(KernelLaunch& launch, DeviceMemory& memory, LaunchResult& record);
  /// The launch of which skip() was false was simulated to its end.
  void simulated(const LaunchResult& record);
  /// Of all launches that were skipped, by how much those that stand for them differ, a window for each of
  /// these, and what counts as alike.
  std::vector<SampleDeviation> deviations() const;
  /// For how many launches like itself a simulated one stands, itself not among them. What lets its own
  /// estimates be off lets theirs be off alike.
  double stands_for(std::size_t launch) const;

 private:
  struct Simulated {
    double warp_instructions = 0;
    std::uint64_t cycles = 0;
    StatValues values;
    std::vector<std::uint64_t> totals;
    std::vector<SampleDeviation> deviations;  ///< of its own estimates, when it was sampled
    double stands_for = 0;                    ///< launches that were skipped
  };
  static std::string name_of(const KernelLaunch& launch, const LaunchResult& record);
  bool may_be_executed(const KernelLaunch& launch, const DeviceMemory& memory) const;
  void estimate(const LaunchWork& work, const std::vector<std::size_t>& windows, LaunchResult& record);
  std::vector<SampleDeviation> deviations_of(double work, const std::vector<std::size_t>& windows,
                                             const KnownTotals& known) const;
  SampleDeviation alike(const LaunchResult& record) const;

  Gpu& gpu_;
  const StatRegistry& registry_;
  std::map<std::string, LaunchRepeats> repeats_;   ///< by name_of()
  std::string name_;                               ///< of the launch that is simulated
  std::optional<LaunchWork> work_;                 ///< of the launch that is simulated
  std::map<std::size_t, Simulated> simulated_;     ///< by launch
  std::map<std::size_t, SampleDeviation> of_run_;  ///< by the launch that stands for others
  std::vector<SampleDeviation> alike_;             ///< of all that were skipped: one, when there are any
};

}  // namespace heddle
