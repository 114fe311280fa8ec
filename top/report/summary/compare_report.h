#pragma once

#include <string>
#include <vector>

#include "top/batch/run_outcome.h"
#include "top/text/output_format.h"

namespace heddle {

/// One run of a comparison.
struct ComparedRun {
  std::string workload;
  std::string scheduler;
  std::string timing;                 ///< ideal or hardware; "" when timings are not compared
  std::vector<std::string> policies;  ///< scopes of the scheduler's own statistics
  RunOutcome outcome;
};

/// What `heddle compare` prints. `runs` have the workloads in blocks, each with the same `runs_per_workload`
/// combinations of scheduler and timing in the same order; ratios are to the first of the block. With several
/// workloads, the geometric means follow. For each run: the causes that took most of the scheduler cycles,
/// and by what causes its time differs from the first one's; these differences, over all causes, add up to
/// that of the times. For people, sentences below say who is ahead, why, at what cost, and whether outputs
/// agree.
std::string compare_report(const std::vector<ComparedRun>& runs, std::size_t runs_per_workload,
                           OutputFormat format);

/// What `heddle compare --timing` prints: `runs` are pairs of the same scheduler in ideal and hardware
/// timing.
std::string timing_report(const std::vector<ComparedRun>& runs, OutputFormat format);

}  // namespace heddle
