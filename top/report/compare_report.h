#pragma once

#include <string>
#include <vector>

#include "hw/reports/cost_report.h"
#include "top/batch/batch.h"

namespace heddle {

/// One run of a comparison.
struct ComparedRun {
  std::string workload;
  std::string scheduler;
  std::string timing;                 ///< ideal or hardware; "" when timings are not compared
  std::vector<std::string> policies;  ///< scopes of the scheduler's own statistics
  BatchOutcome outcome;
};

/// What `heddle compare` prints. `runs` have the workloads in blocks, each with the same `runs_per_workload`
/// combinations of scheduler and timing in the same order; ratios are to the first of the block. With several
/// workloads, the geometric means follow.
std::string compare_report(const std::vector<ComparedRun>& runs, std::size_t runs_per_workload,
                           hw::CostFormat format);

/// What `heddle compare --timing` prints: `runs` are pairs of the same scheduler in ideal and hardware
/// timing.
std::string timing_report(const std::vector<ComparedRun>& runs, hw::CostFormat format);

}  // namespace heddle
