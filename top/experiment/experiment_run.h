#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "top/batch/batch.h"
#include "top/experiment/definition/experiment.h"
#include "top/experiment/definition/points.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

class PointExecutor;
class ResultDatabase;

/// How an experiment is run.
struct EngineOptions {
  std::string database = kDatabase;   ///< of results; made when it is not there, unless nothing runs
  unsigned jobs = 0;                  ///< points at once; 0: as many as processors
  bool retry_failed = false;          ///< points that have failed run again
  bool plan_only = false;             ///< nothing runs: what the database has
  bool quiet = false;                 ///< no progress
  std::string command = "sweep";      ///< in messages: "heddle sweep: ..."
  PointExecutor* executor = nullptr;  ///< who runs points; nullptr: this machine

  static constexpr const char* kDatabase = "heddle-out/results.sqlite";
};

/// A point of an experiment, and how it ended.
struct ExperimentRow {
  enum class State { kDone, kFailed, kNotRun };

  Point point;
  std::string id;  ///< in the database; "": not known, since a run that it needs has failed or is to come
  State state = State::kNotRun;
  int code = 0;        ///< exit code
  std::string status;  ///< "complete", "sampled", "deadlock", "time limit", ...; "not run"
  std::string message;
  double wall_seconds = 0;
  double cpu_seconds = 0;
};

/// What came of an experiment: its rows in the order of points_of(), and figures from the database.
class ExperimentResults {
 public:
  ExperimentResults(std::vector<ExperimentRow> rows, std::shared_ptr<ResultDatabase> database);

  const std::vector<ExperimentRow>& rows() const { return rows_; }
  std::size_t count(ExperimentRow::State state) const;
  /// kOk when all are done, else the code of the first that failed; why the work was ended, if it was.
  ExitCode code() const;

  /// The one row whose labels include all of these; nullptr when there is none. Throws std::invalid_argument
  /// when there are several.
  const ExperimentRow* find(const PointLabels& labels) const;
  /// Those whose labels include all of these.
  std::vector<const ExperimentRow*> select(const PointLabels& labels) const;

  /// A figure by its full name: of stats.json ("ipc_warp", "sm.l1d.hits"), "cost.bits_per_sm",
  /// "multiprogram.stp" and others (docs/experiments.md), or "wall_seconds" of the process. Nothing when the
  /// row is not done or does not have it.
  std::optional<double> value(const ExperimentRow& row, const std::string& metric) const;
  /// A member of its stats.json, "launches", "streams", "instances" or "energy", or "pairs" of kind timed:
  /// what `heddle pairs --format json` prints. Null when there is none.
  nlohmann::json detail(const ExperimentRow& row, const std::string& name) const;
  /// The row as a run that left a folder: how it ended and, when it is done or its output is wrong, its
  /// figures, without RunFigures::conflicts.
  BatchOutcome outcome(const ExperimentRow& row) const;

 private:
  std::vector<ExperimentRow> rows_;
  std::shared_ptr<ResultDatabase> database_;
  mutable std::map<std::string, std::map<std::string, double>> values_;  ///< by metric, then by id
};

/// Runs those of the experiments' points that the database does not have, each in a process, and stores how
/// they end: all side by side, one that several experiments have once. Programs at once need the run times of
/// each alone: these are points of their own, which come first. Ends early, without an exception, when the
/// process is asked to (stop_cause()). Throws as points_of(), and OutputError and ResultsError as
/// ResultDatabase.
std::vector<ExperimentResults> run_experiments(const std::vector<Experiment>& experiments,
                                               const EngineOptions& options);
ExperimentResults run_experiment(const Experiment& experiment, const EngineOptions& options);

}  // namespace heddle
