#pragma once

#include <string>
#include <vector>

#include "top/experiment/definition/points.h"
#include "top/options/options.h"
#include "top/pairs/pair_figures.h"

namespace heddle {

/// `heddle pairs` as an experiment: its points are the pairs, of workloads that execute instructions one
/// each, of one of kind timed all of a policy, arrival and repetition.
struct PlannedPairs {
  std::vector<std::string> programs;  ///< that run together, by their numbers; of kind timed none
  Experiment experiment;
  PairFigures figures;  ///< to be filled in

  /// Of workloads that execute instructions: those named, or one and copies of it. Throws
  /// std::invalid_argument for an arrival that can't be read, for fewer workloads than run together, and for
  /// repetitions that would all be the same.
  static PlannedPairs of_workloads(const PairsOptions& options);
  /// Of the kernels of `workload`, which the options name. Throws std::invalid_argument for an arrival that
  /// can't be read.
  static PlannedPairs of_timed(const PairsOptions& options, const TimedWorkload& workload);

  /// Of the point that a pair is, or is in.
  PointLabels labels_of(const PolicyResult& result, const PairResult& pair) const;
};

}  // namespace heddle
