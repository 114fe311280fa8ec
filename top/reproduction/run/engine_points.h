#pragma once

#include <set>
#include <string>
#include <vector>

#include "top/experiment/experiment_run.h"
#include "top/reproduction/points/result_point.h"

namespace heddle {

/// What a paper's figures ask of an experiment.
struct WantedOfPoints {
  std::set<std::string> figures;  ///< of stats.json
  bool kernels = false;           ///< also of the launches of each kernel
  bool details = false;           ///< also the figures of each block, and the records of the runs
};

/// The points of an experiment as figures see them; of kind timed one for each policy and set of kernels,
/// with the coordinates policy, first, second and so on. `records`: the folder of what is kept beside the
/// database.
std::vector<ResultPoint> points_from(const ExperimentResults& results, const WantedOfPoints& wanted,
                                     const std::string& records);

}  // namespace heddle
