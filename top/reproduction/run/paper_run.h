#pragma once

#include <string>
#include <vector>

#include "top/reproduction/definition/paper_definition.h"
#include "top/reproduction/figures/paper_results.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

/// How a paper's experiments are run.
struct PaperRunOptions {
  bool quick = false;
  std::string database;
  unsigned jobs = 0;  ///< points at once; 0: as many as processors
  bool retry_failed = false;
  bool plan_only = false;  ///< nothing runs: what the database has
  bool quiet = false;      ///< no progress
};

/// The figures that came out, and how the runs ended.
struct PaperRunResult {
  PaperResults results;
  std::vector<std::string> without;  ///< experiments that this size has not
  /// Figures without any value though all their points are complete, each with what no run has.
  std::vector<std::string> valueless;
  ExitCode code = ExitCode::kOk;
};

/// Runs what `figures` of the paper need and the database has not, experiment by experiment, and evaluates
/// them. Stops early, with what there is, when the process is asked to. Throws as run_experiment() and
/// evaluate_figure(), and WorkloadError for an experiment's file that can't be read.
PaperRunResult run_paper(const PaperDefinition& paper, const std::vector<const FigureDefinition*>& figures,
                         const PaperRunOptions& options);

}  // namespace heddle
