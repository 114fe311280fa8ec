#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "top/batch/run_outcome.h"
#include "top/experiment/definition/experiment.h"
#include "top/experiment/definition/points.h"
#include "top/support/output/output_folder.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

class PointExecutor;
class ResultDatabase;
struct StoredPoint;

/// Where an experiment's runs leave their results when they do not go to a database: each in a folder that
/// stays. What lies there already of these runs is not run again; other runs' results are removed.
struct RunFolders {
  OutputFolder all;                 ///< in which the others are
  std::vector<std::string> points;  ///< in the order of points_of()
  std::string alone_cache = {};     ///< of run times alone: as PairsOptions::cache

  /// Folders in `all` that have the points' labels and are numbered in their order.
  static RunFolders of(OutputFolder all, const std::vector<std::string>& labels);
};

/// How an experiment is run.
struct EngineOptions {
  std::string database = kDatabase;     ///< of results; made when it is not there, unless nothing runs
  const RunFolders* folders = nullptr;  ///< instead of a database, of one experiment
  unsigned jobs = 0;                    ///< points at once; 0: as many as processors
  bool retry_failed = false;            ///< points that have failed run again
  bool plan_only = false;               ///< nothing runs: what the database has
  bool quiet = false;                   ///< no progress
  std::string command = "sweep";        ///< in messages: "heddle sweep: ..."
  PointExecutor* executor = nullptr;    ///< who runs points; nullptr: this machine

  static constexpr const char* kDatabase = "heddle-out/results.sqlite";
};

/// A point of an experiment, and how it ended.
struct ExperimentRow {
  enum class State { kDone, kFailed, kNotRun };

  Point point;
  std::string folder;  ///< of its run, when it stays there; "": it does not
  /// In the database; "": not known, since a run that it needs has failed or is to come.
  std::string id = {};
  State state = State::kNotRun;
  int code = 0;                    ///< exit code
  std::string status = "not run";  ///< "complete", "sampled", "deadlock", "time limit", ...; "not run"
  std::string message = {};
  double wall_seconds = 0;
  double cpu_seconds = 0;

  /// How it ended; `done`: what it was to do.
  void take(const StoredPoint& stored, bool done);
};

/// What came of an experiment: its rows in the order of points_of(), and figures from the database.
class ExperimentResults {
 public:
  ExperimentResults(std::vector<ExperimentRow> rows, std::vector<ExperimentRow> alone,
                    std::shared_ptr<ResultDatabase> database);

  const std::vector<ExperimentRow>& rows() const { return rows_; }
  /// Runs alone of programs, for the arrivals of this experiment's points or others that ran with it.
  const std::vector<ExperimentRow>& alone() const { return alone_; }
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
  /// The unit of a figure; "" of one that no row has, or whose name says it.
  std::string unit(const std::string& metric) const;
  /// A member of its stats.json, "launches", "streams", "instances" or "energy", or "pairs" of kind timed:
  /// what `heddle pairs --format json` prints. Null when there is none.
  nlohmann::json detail(const ExperimentRow& row, const std::string& name) const;
  /// How the row ended. With a folder of its own it has the figures that are there, also of a run that was
  /// ended early; of a database those of a run that came to its end, without RunFigures::conflicts.
  RunOutcome outcome(const ExperimentRow& row) const;

 private:
  std::vector<ExperimentRow> rows_;
  std::vector<ExperimentRow> alone_;
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
