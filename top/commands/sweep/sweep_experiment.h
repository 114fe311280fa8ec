#pragma once

#include <cstddef>
#include <string>

#include "top/experiment/definition/experiment.h"
#include "top/options/options.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

/// `heddle sweep EXPERIMENT`. Throws UsageError when there is no such experiment, and as read_experiment()
/// and run_experiment().
ExitCode sweep_experiment(const SweepOptions& options);

/// Runs what the database of `options` does not have of the experiment's points, and prints them all.
ExitCode sweep_points(const Experiment& experiment, const SweepOptions& options);

/// An experiment whose file has no error.
struct CheckedExperiment {
  std::string name;  ///< under which its points stand in the database
  std::size_t points = 0;
};

/// Looks at all that can be known to be wrong with an experiment's file before its points run: keys, figures,
/// machines, workloads and their PTX. Throws as read_experiment(), points_of() and check_points().
CheckedExperiment check_experiment(const std::string& path);

}  // namespace heddle
