#pragma once

#include <set>
#include <string>
#include <vector>

#include "top/reproduction/definition/paper_definition.h"
#include "top/reproduction/figures/paper_results.h"
#include "top/reproduction/points/result_point.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

class PointExecutor;

/// How a paper's experiments are run.
struct PaperRunOptions {
  bool quick = false;
  std::string database;
  unsigned jobs = 0;  ///< points at once; 0: as many as processors
  bool retry_failed = false;
  bool plan_only = false;             ///< nothing runs: what the database has
  bool quiet = false;                 ///< no progress
  PointExecutor* executor = nullptr;  ///< who runs points; nullptr: this machine
};

/// The figures that came out, and how the runs ended.
struct PaperRunResult {
  PaperResults results;
  std::vector<std::string> without;  ///< experiments that this size has not
  /// Figures without any value though all their points are complete, each with what no run has.
  std::vector<std::string> valueless;
  ExitCode code = ExitCode::kOk;
};

/// How the points of an experiment ended. Of those whose ids are `counted` another experiment has the time;
/// the others' are from then on.
RanExperiment ran_experiment(const ResultPoints& points, std::set<std::string>& counted);

/// Runs what `figures` of the paper need and the database has not, all experiments side by side, and
/// evaluates them. Stops early, with what there is, when the process is asked to. Throws as run_experiments()
/// and evaluate_figure(), and WorkloadError for an experiment's file that can't be read.
PaperRunResult run_paper(const PaperDefinition& paper, const std::vector<const FigureDefinition*>& figures,
                         const PaperRunOptions& options);

}  // namespace heddle
