#pragma once

#include "top/options/options.h"
#include "top/pairs/pair_figures.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

/// Pairs, or sets of more, of workloads that execute instructions, as WorkloadPairs runs them, as points of
/// the database of `options`, the runs alone too: what it has is not run again. Pairs that fail are told on
/// stderr. Arrivals that are drawn go by the workloads' names, not by their places on the command line.
/// Throws as WorkloadPairs and run_experiment().
struct StoredPairs {
  PairFigures figures;
  ExitCode code = ExitCode::kOk;
};
StoredPairs pairs_in_database(const PairsOptions& options);

}  // namespace heddle
