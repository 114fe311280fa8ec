#pragma once

#include "modules/counts/issue_cause.h"
#include "modules/counts/issue_statistics.h"
#include "modules/counts/l1d_counts.h"
#include "modules/counts/l2_counts.h"

namespace heddle {

/// What blocks count of one kernel launch while others run beside it: a warp's instructions and requests
/// carry a pointer to it. The figures have the names and definitions of the blocks' own, all SMs and slices
/// together, so that those of all launches add up to the blocks'. SMs of different strands (ClockTree) count
/// in one each; `l2` is counted by one thread whatever it is of. What can't be attributed to a kernel
/// (cycles of schedulers without a warp that could run, MSHR occupancy, networks, DRAM) is not here.
struct LaunchCounts {
  IssueStatistics issue;  ///< but active_cycles
  CauseCycles cycles{};   ///< of schedulers, charged to a warp of the launch
  L1dCounts l1d;
  L2Counts l2;

  /// Adds what others counted of the launch.
  void add(const LaunchCounts& other);
  /// As "sm.warp_instructions", "sm.scheduler.idle", "sm.l1d.hits", "partition.slice.hits".
  void report(StatSink& sink) const;
};

}  // namespace heddle
