#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "modules/config/gpu_config.h"
#include "modules/tb_dispatcher/resources/occupancy.h"
#include "workloads/description/workload.h"
#include "workloads/launch/kernel_launch.h"
#include "workloads/ptx/load.h"

namespace heddle {

/// Launches of one kernel that have the same shape, on a machine.
struct LaunchShape {
  std::string kernel;
  std::uint64_t times = 0;  ///< how often; the rounds of a loop over data once
  bool by_data = false;     ///< it stands in such a loop
  Dim3 grid;
  Dim3 block;
  unsigned registers_per_thread = 0;  ///< before the hardware's rounding
  unsigned shared_bytes = 0;          ///< of a TB, likewise
  Occupancy occupancy;
  double tb_rounds = 0;  ///< TBs over those that all SMs hold by their resources

  std::uint64_t tbs() const { return grid.count(); }
  unsigned threads_per_tb() const { return static_cast<unsigned>(block.count()); }
};

/// What a workload launches in one size, known without running it.
struct WorkloadShape {
  std::string workload;
  std::string size;
  std::uint64_t buffer_bytes = 0;
  std::vector<LaunchShape> launches;  ///< in the host's order, at least one

  /// The launch of `kernel` with the most TBs, or, for "", the one with the most rounds of TBs; of equals the
  /// first. nullptr when there is no such kernel.
  const LaunchShape* find(const std::string& kernel) const;
  const LaunchShape& main_launch() const { return *find(""); }
};

/// Throws as LaunchPlan does, OccupancyError, and WorkloadError for a workload that launches nothing.
WorkloadShape shape_of(const Workload& workload, const std::string& size,
                       const std::map<std::string, std::int64_t>& parameters, const CoreConfig& core,
                       const std::vector<ptx::CompileOptions>& compile);

}  // namespace heddle
