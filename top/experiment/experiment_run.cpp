#include "top/experiment/experiment_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "base/stop.h"
#include "top/experiment/alone_runs.h"
#include "top/experiment/local_executor.h"
#include "top/experiment/point/point_folder.h"
#include "top/experiment/point_executor.h"
#include "top/experiment/point_store.h"
#include "top/support/output/console.h"
#include "top/support/processes/budget_guard.h"
#include "top/support/stats_file.h"
#include "top/text/shown_path.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

std::string workload_of(const ExperimentRow& row) {
  return std::string(label_of(row.point.labels, "workload"));
}

/// What one of two equal points wants beside its results, or may take, the other does too.
void want_also(Point& point, const Point& other) {
  RecordOptions& record = point.run.record;
  record.tb_log = record.tb_log || other.run.record.tb_log;
  record.profile = record.profile || other.run.record.profile;
  if (record.interval_cycles == 0) record.interval_cycles = other.run.record.interval_cycles;
  const auto take_larger = [](std::uint64_t& limit, std::uint64_t others) {
    limit = limit == 0 || others == 0 ? 0 : std::max(limit, others);
  };
  take_larger(point.limits.seconds, other.limits.seconds);
  take_larger(point.limits.memory_bytes, other.limits.memory_bytes);
  point.until_cycle = point.until_cycle || other.until_cycle;
}

std::shared_ptr<PointStore> store_of(const EngineOptions& options) {
  using Access = ResultDatabase::Access;
  if (options.folders != nullptr)
    return std::make_shared<PointStore>(options.folders->all.path(), Access::kMemory);
  return std::make_shared<PointStore>(options.database, options.plan_only ? Access::kPlan : Access::kWrite);
}

/// PointIdentity::kept.
std::string kept_as(const Point& point, const std::string& folder) {
  return fmt::format("{}\n{}", fs::path(folder).filename().string(),
                     fmt::join(point.run.record_arguments(), "\n"));
}

/// Experiments whose points are run as one list of tasks.
class ExperimentRun {
 public:
  ExperimentRun(const std::vector<Experiment>& experiments, const EngineOptions& options)
      : experiments_(experiments),
        options_(options),
        jobs_(copies_at_once(options.jobs)),
        store_(store_of(options)),
        progress_(stderr, !options.quiet, options.command),
        alone_(options, *store_, identities_) {
    for (const Experiment& experiment : experiments) {
      std::vector<ExperimentRow>& rows = rows_.emplace_back();
      for (Point& point : points_of(experiment)) {
        const std::string folder = options.folders == nullptr ? "" : options.folders->points.at(rows.size());
        rows.push_back({std::move(point), folder});
      }
    }
  }

  std::vector<ExperimentResults> run() {
    if (options_.folders != nullptr) options_.folders->all.clear_runs(options_.folders->points);
    progress_.set_forecast(SweepForecast(store_->database().seconds_by_workload()));
    progress_.set_at_once(jobs_);
    plan_alone();
    std::vector<PointTask> alone = take_unsettled();
    plan_independent();
    std::vector<PointTask> tasks = take_unsettled();
    store_experiments();
    if (!alone.empty()) execute(alone);
    alone_.learn();
    plan_arriving();
    std::vector<PointTask> arriving = take_unsettled();
    if (!arriving.empty()) store_experiments();
    for (PointTask& task : arriving) tasks.push_back(std::move(task));
    if (options_.folders != nullptr) tell_what_is_there();
    execute(tasks);
    progress_.clear();
    remove_work_folder();
    std::vector<ExperimentResults> results;
    for (std::size_t place = 0; place < rows_.size(); ++place) {
      finish(experiments_[place], rows_[place]);
      results.emplace_back(std::move(rows_[place]), alone_.rows(),
                           std::shared_ptr<ResultDatabase>(store_, &store_->database()));
    }
    return results;
  }

 private:
  template <class Use>
  void for_each_row(const Use& use) {
    for (std::vector<ExperimentRow>& rows : rows_) {
      for (ExperimentRow& row : rows) use(row);
    }
  }

  /// What programs at once need to know before they can be planned.
  void plan_alone() {
    for_each_row([this](const ExperimentRow& row) {
      throw_if_stopped();
      if (!row.point.arrival) return;
      progress_.add_later(workload_of(row));
      for (std::size_t program = 0; program < programs_of(row.point); ++program)
        plan_alone(row.point, program);
    });
    alone_.clear_others();
  }

  void plan_alone(const Point& point, std::size_t number) {
    AloneRuns::Program& program = alone_.of(point, number);
    if (!program.known()) program.row.id = plan(AloneRuns::point_of(point, number), program.row.folder);
  }

  void plan_independent() {
    for_each_row([this](ExperimentRow& row) {
      throw_if_stopped();
      if (!row.point.arrival) row.id = plan(row.point, row.folder);
    });
  }

  void plan_arriving() {
    for_each_row([this](ExperimentRow& row) {
      if (!row.point.arrival || stop_cause() != StopCause::kNone) return;
      progress_.end_later(workload_of(row));
      if (give_arrivals(row)) row.id = plan(row.point, row.folder);
    });
  }

  /// The point's id. Points that are equal, of several experiments, are one task.
  std::string plan(const Point& point, const std::string& folder) {
    PointTask task{point, identities_.of(point), "", folder, {}, options_.retry_failed, 0};
    if (!folder.empty()) task.identity.kept = kept_as(point, folder);
    task.id = task.identity.id();
    // What has no fingerprint may have been mended, or be wrong in another way, under the same name.
    task.retry = task.retry || !task.identity.known;
    const auto [place, first] = places_.emplace(task.id, planned_.size());
    if (!first) {
      if (place->second >= taken_) want_also(planned_[place->second].point, point);
      return task.id;
    }
    if (task.identity.known) task.machine = identities_.machine_of(point);
    if (const auto stored = store_->database().find(task.id)) task.attempts_before = stored->attempts;
    planned_.push_back(task);
    return task.id;
  }

  /// Of those that were planned since the last time the ones that are to run.
  std::vector<PointTask> take_unsettled() {
    std::vector<PointTask> tasks;
    for (; taken_ < planned_.size(); ++taken_) {
      PointTask& task = planned_[taken_];
      if (const auto stored = store_->settled(task)) {
        const bool done = is_done(task.point, stored->code);
        progress_.add_settled(done ? 1 : 0, done ? 0 : 1);
        ++settled_;
      } else {
        if (!task.folder.empty()) OutputFolder::clear_run(task.folder);
        progress_.add_expected(workload_of(task));
        tasks.push_back(std::move(task));
      }
    }
    return tasks;
  }

  /// When there is nothing in it.
  void remove_work_folder() const {
    if (options_.folders != nullptr) return;
    std::error_code ignored;
    fs::remove(store_->work_folder(), ignored);
  }

  void tell_what_is_there() const {
    if (settled_ == 0 || options_.quiet) return;
    tell("heddle {}: {} of {} runs are in {} already\n", options_.command, settled_, planned_.size(),
         shown_path(options_.folders->all.path()));
  }

  static std::size_t programs_of(const Point& point) { return 1 + point.run.beside.size(); }

  /// False: it can't run.
  bool give_arrivals(ExperimentRow& row) {
    Point& point = row.point;
    std::vector<std::uint64_t> alone;
    std::vector<std::string> files;
    for (std::size_t number = 0; number < programs_of(point); ++number) {
      const AloneRuns::Program& program = alone_.of(point, number);
      if (!program.known()) {
        if (program.row.state == ExperimentRow::State::kFailed) fail_without(program, row);
        return false;
      }
      files.push_back(program.file);
      alone.push_back(program.times.turnaround());
    }
    point.run.alone = files;
    point.run.arrivals = drawn_arrivals(point, alone);
    return true;
  }

  void fail_without(const AloneRuns::Program& program, ExperimentRow& row) {
    const std::string& reason = program.row.message.empty() ? program.row.status : program.row.message;
    row.state = ExperimentRow::State::kFailed;
    row.status = "no run alone";
    row.code = static_cast<int>(ExitCode::kBadInput);
    row.message = fmt::format("{} did not run alone: {}", program.name(), reason);
    progress_.add_settled(0, 1);
  }

  void execute(const std::vector<PointTask>& tasks) {
    if (options_.plan_only || stop_cause() != StopCause::kNone) return;
    if (options_.executor != nullptr) {
      options_.executor->run(*store_, progress_, tasks);
    } else if (!tasks.empty()) {
      LocalExecutor(*store_, progress_, jobs_).run(tasks);
      store_->finish();
    }
  }

  /// Before their points run, so that those that have ended can be looked at meanwhile.
  void store_experiments() {
    for (std::size_t number = 0; number < experiments_.size(); ++number)
      store_experiment(experiments_[number], rows_[number]);
  }

  void store_experiment(const Experiment& experiment, const std::vector<ExperimentRow>& rows) {
    if (options_.plan_only) return;
    std::vector<Point> points;
    std::vector<std::string> ids;
    for (const ExperimentRow& row : rows) {
      points.push_back(row.point);
      ids.push_back(row.id);
    }
    store_->database().store_experiment(experiment, points, ids);
  }

  void finish(const Experiment& experiment, std::vector<ExperimentRow>& rows) {
    for (ExperimentRow& row : rows) {
      const auto stored = row.id.empty() ? std::nullopt : store_->database().find(row.id);
      if (!stored) continue;
      row.take(*stored, is_done(row.point, stored->code));
      if (const PointResult* const failure = store_->failure_of(row.id)) {
        row.state = ExperimentRow::State::kFailed;
        row.code = failure->code;
        row.status = failure->status();
        row.message = failure->message;
      }
    }
    store_experiment(experiment, rows);
  }

  const std::vector<Experiment>& experiments_;
  const EngineOptions& options_;
  const unsigned jobs_;
  std::shared_ptr<PointStore> store_;
  SweepProgress progress_;
  PointIdentities identities_;
  AloneRuns alone_;
  std::vector<std::vector<ExperimentRow>> rows_;  ///< by experiment
  std::vector<PointTask> planned_;
  std::map<std::string, std::size_t> places_;  ///< of planned ones, by id
  std::size_t settled_ = 0;
  std::size_t taken_ = 0;  ///< planned ones of which it is settled whether they run
};

}  // namespace

RunFolders RunFolders::of(OutputFolder all, const std::vector<std::string>& labels) {
  RunFolders folders{std::move(all), {}};
  for (std::size_t place = 0; place < labels.size(); ++place)
    folders.points.push_back(folders.all.folder_of_run(place, labels[place]));
  return folders;
}

void ExperimentRow::take(const StoredPoint& stored, bool done) {
  state = done ? State::kDone : State::kFailed;
  code = stored.code;
  status = stored.status;
  message = stored.message;
  wall_seconds = stored.wall_seconds;
  cpu_seconds = stored.cpu_seconds;
}

ExperimentResults::ExperimentResults(std::vector<ExperimentRow> rows, std::vector<ExperimentRow> alone,
                                     std::shared_ptr<ResultDatabase> database)
    : rows_(std::move(rows)), alone_(std::move(alone)), database_(std::move(database)) {}

std::size_t ExperimentResults::count(ExperimentRow::State state) const {
  return static_cast<std::size_t>(std::count_if(
      rows_.begin(), rows_.end(), [state](const ExperimentRow& row) { return row.state == state; }));
}

ExitCode ExperimentResults::code() const {
  if (const StopCause cause = stop_cause(); cause != StopCause::kNone) return exit_code_of(cause);
  for (const ExperimentRow& row : rows_) {
    if (row.state == ExperimentRow::State::kFailed) return static_cast<ExitCode>(row.code);
  }
  return ExitCode::kOk;
}

std::vector<const ExperimentRow*> ExperimentResults::select(const PointLabels& labels) const {
  std::vector<const ExperimentRow*> found;
  for (const ExperimentRow& row : rows_) {
    if (has_labels(row.point.labels, labels)) found.push_back(&row);
  }
  return found;
}

const ExperimentRow* ExperimentResults::find(const PointLabels& labels) const {
  const std::vector<const ExperimentRow*> found = select(labels);
  if (found.size() > 1)
    throw std::invalid_argument(fmt::format("{} points have the labels {}", found.size(), text_of(labels)));
  return found.empty() ? nullptr : found.front();
}

std::optional<double> ExperimentResults::value(const ExperimentRow& row, const std::string& metric) const {
  if (row.state != ExperimentRow::State::kDone) return std::nullopt;
  if (metric == "wall_seconds") return row.wall_seconds;
  const auto known = values_.find(metric);
  const auto& values = known != values_.end() ? known->second : (values_[metric] = database_->values(metric));
  const auto found = values.find(row.id);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

std::string ExperimentResults::unit(const std::string& metric) const { return database_->unit(metric); }

nlohmann::json ExperimentResults::detail(const ExperimentRow& row, const std::string& name) const {
  return row.id.empty() ? nlohmann::json() : database_->detail(row.id, name);
}

RunOutcome ExperimentResults::outcome(const ExperimentRow& row) const {
  RunOutcome outcome;
  outcome.message = row.message;
  const bool has_run = row.state != ExperimentRow::State::kNotRun;
  outcome.code = has_run ? static_cast<ExitCode>(row.code) : ExitCode::kInterrupted;
  if (!row.folder.empty()) {
    if (row.id.empty()) return outcome;
    if (!has_run) outcome.message = first_message((fs::path(row.folder) / kMessagesFile).string());
    if (!has_run || !database_->figures(row.id).empty()) outcome.figures = read_run_figures(row.folder);
    return outcome;
  }
  const bool ended = outcome.code == ExitCode::kOk || outcome.code == ExitCode::kCheckFailed;
  if (!ended) return outcome;
  RunFigures& figures = outcome.figures.emplace();
  figures.complete = true;
  for (const StoredFigure& figure : database_->figures(row.id))
    figures.metrics[figure.metric] = {figure.value, figure.unit};
  for (auto& [name, figure] : figures.metrics) figure.half = figures.value(half_interval_name(name));
  figures.checks = static_cast<unsigned>(figures.value("checks").value_or(0));
  figures.checks_passed = outcome.code == ExitCode::kOk ? figures.checks : 0;
  figures.priced = figures.value("cost.unpriced").value_or(0) == 0;
  figures.bits_per_sm = static_cast<std::uint64_t>(figures.value("cost.bits_per_sm").value_or(0));
  figures.nand2_per_sm = figures.value("cost.nand2_per_sm").value_or(0);
  figures.sampled = figures.half("cycles").has_value();
  const nlohmann::json launches = database_->detail(row.id, "launches");
  figures.tb_rounds = fewest_tb_rounds(launches);
  figures.streams = streams_in({{"streams", database_->detail(row.id, "streams")}, {"launches", launches}});
  return outcome;
}

std::vector<ExperimentResults> run_experiments(const std::vector<Experiment>& experiments,
                                               const EngineOptions& options) {
  return ExperimentRun(experiments, options).run();
}

ExperimentResults run_experiment(const Experiment& experiment, const EngineOptions& options) {
  return std::move(run_experiments({experiment}, options).front());
}

}  // namespace heddle
