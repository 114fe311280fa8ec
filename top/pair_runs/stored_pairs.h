#pragma once

#include "top/pair_runs/planned_pairs.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

/// Runs what the database of `options` does not have of the pairs, and of the runs alone, and fills in the
/// figures of `planned`. Pairs that fail are told on stderr. Throws as run_experiment().
ExitCode pairs_in_database(const PairsOptions& options, PlannedPairs& planned);

}  // namespace heddle
