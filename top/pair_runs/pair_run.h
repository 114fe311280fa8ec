#pragma once

#include "top/experiment/experiment_run.h"
#include "top/pair_runs/planned_pairs.h"

namespace heddle {

/// Runs what is not there yet of the pairs, and of the runs alone: in the database of `options`, or in a
/// folder for each. Fills in the figures of `planned`. What fails is told on stderr and does not stop the
/// others. Throws as run_experiment() and check_points().
ExperimentResults run_pairs(const PairsOptions& options, PlannedPairs& planned);

/// kOk, or the code of the first run that failed, those alone first; why the work was ended, if it was.
ExitCode code_of_pairs(const ExperimentResults& results);

}  // namespace heddle
