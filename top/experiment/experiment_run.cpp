#include "top/experiment/experiment_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "base/stop.h"
#include "top/experiment/local_executor.h"
#include "top/experiment/point_executor.h"
#include "top/experiment/point_store.h"
#include "top/pairs/alone_run.h"
#include "top/support/output/console.h"
#include "top/support/processes/budget_guard.h"
#include "top/support/sized_workload.h"
#include "top/support/stats_file.h"

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

/// Experiments whose points are run as one list of tasks.
class ExperimentRun {
 public:
  ExperimentRun(const std::vector<Experiment>& experiments, const EngineOptions& options)
      : experiments_(experiments),
        options_(options),
        jobs_(copies_at_once(options.jobs)),
        store_(std::make_shared<PointStore>(options.database, options.plan_only
                                                                  ? ResultDatabase::Access::kPlan
                                                                  : ResultDatabase::Access::kWrite)),
        progress_(stderr, !options.quiet, options.command) {
    for (const Experiment& experiment : experiments) {
      std::vector<ExperimentRow>& rows = rows_.emplace_back();
      for (Point& point : points_of(experiment))
        rows.push_back({std::move(point), "", ExperimentRow::State::kNotRun, 0, "not run", "", 0});
    }
  }

  std::vector<ExperimentResults> run() {
    progress_.set_forecast(SweepForecast(store_->database().seconds_by_workload()));
    progress_.set_at_once(jobs_);
    plan_alone();
    std::vector<PointTask> alone = take_unsettled();
    plan_independent();
    std::vector<PointTask> tasks = take_unsettled();
    store_experiments();
    if (!alone.empty()) execute(alone);
    plan_arriving();
    std::vector<PointTask> arriving = take_unsettled();
    if (!arriving.empty()) store_experiments();
    for (PointTask& task : arriving) tasks.push_back(std::move(task));
    execute(tasks);
    progress_.clear();
    std::error_code ignored;
    fs::remove(store_->work_folder(), ignored);  // when there is nothing in it
    std::vector<ExperimentResults> results;
    for (std::size_t place = 0; place < rows_.size(); ++place) {
      finish(experiments_[place], rows_[place]);
      results.emplace_back(std::move(rows_[place]),
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
        plan(alone_point(row.point, program));
    });
  }

  void plan_independent() {
    for_each_row([this](ExperimentRow& row) {
      throw_if_stopped();
      if (!row.point.arrival) row.id = plan(row.point);
    });
  }

  void plan_arriving() {
    for_each_row([this](ExperimentRow& row) {
      if (!row.point.arrival || stop_cause() != StopCause::kNone) return;
      progress_.end_later(workload_of(row));
      if (give_arrivals(row)) row.id = plan(row.point);
    });
  }

  /// The point's id. Points that are equal, of several experiments, are one task.
  std::string plan(const Point& point) {
    PointTask task{point, identities_.of(point), "", {}, options_.retry_failed, 0};
    task.id = task.identity.id();
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
      } else {
        progress_.add_expected(workload_of(task));
        tasks.push_back(std::move(task));
      }
    }
    return tasks;
  }

  Point alone_point(const Point& point, std::size_t program) const {
    Point alone;
    alone.run = alone_run_options(point, program);
    alone.limits = point.limits;
    if (point.until_cycle) {  // what the arrivals are reckoned from are whole runs
      alone.limits.cycles = 0;
      alone.run.on.max_cycles = 0;
    }
    alone.labels = {{"workload", SizedWorkload::of(alone.run.workload).name()}, {"arrival", "alone"}};
    return alone;
  }

  static std::size_t programs_of(const Point& point) { return 1 + point.run.beside.size(); }

  /// The file with the run times of a program alone; "" when there are none, and why if it has failed.
  std::string alone_file(const Point& point, std::size_t program, AloneRun& times, std::string& problem) {
    const Point alone = alone_point(point, program);
    const std::string name(label_of(alone.labels, "workload"));
    const std::string id = identities_.of(alone).id();
    const auto stored = store_->database().find(id);
    if (!stored) return "";  // it was not to be run, or the work was ended
    if (!stored->done()) {
      problem = fmt::format("{} did not run alone: {}", name, stored->status);
      if (!stored->message.empty()) problem += ": " + stored->message;
      return "";
    }
    times.streams = streams_in({{"streams", store_->database().detail(id, "streams")},
                                {"launches", store_->database().detail(id, "launches")}});
    if (!times.valid()) {
      problem = fmt::format("{} has no run times alone", name);
      return "";
    }
    const std::string folder =
        options_.executor != nullptr ? options_.executor->shared_folder() : store_->work_folder();
    std::string file = (fs::path(folder) / "alone" / (id + ".json")).string();
    std::error_code error;
    fs::create_directories(fs::path(file).parent_path(), error);
    if (!read_alone_run(file, id)) write_file_atomically(file, to_json(times, id));
    return file;
  }

  /// False: it can't run.
  bool give_arrivals(ExperimentRow& row) {
    Point& point = row.point;
    std::vector<std::uint64_t> alone;
    std::vector<std::string> files;
    for (std::size_t program = 0; program < programs_of(point); ++program) {
      AloneRun times;
      files.push_back(alone_file(point, program, times, row.message));
      if (files.back().empty()) {
        if (row.message.empty()) return false;
        row.state = ExperimentRow::State::kFailed;
        row.status = "no run alone";
        row.code = static_cast<int>(ExitCode::kBadInput);
        progress_.add_settled(0, 1);
        return false;
      }
      alone.push_back(times.turnaround());
    }
    point.run.alone = files;
    point.run.arrivals = drawn_arrivals(point, alone);
    return true;
  }

  void execute(const std::vector<PointTask>& tasks) {
    if (options_.plan_only || stop_cause() != StopCause::kNone) return;
    if (options_.executor != nullptr) {
      options_.executor->run(*store_, progress_, tasks);
    } else if (!tasks.empty()) {
      LocalExecutor(*store_, progress_, jobs_).run(tasks);
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
      const bool done = is_done(row.point, stored->code);
      row.state = done ? ExperimentRow::State::kDone : ExperimentRow::State::kFailed;
      row.code = stored->code;
      row.status = stored->status;
      row.message = stored->message;
      row.wall_seconds = stored->wall_seconds;
      row.cpu_seconds = stored->cpu_seconds;
    }
    store_experiment(experiment, rows);
  }

  const std::vector<Experiment>& experiments_;
  const EngineOptions& options_;
  const unsigned jobs_;
  std::shared_ptr<PointStore> store_;
  SweepProgress progress_;
  PointIdentities identities_;
  std::vector<std::vector<ExperimentRow>> rows_;  ///< by experiment
  std::vector<PointTask> planned_;
  std::map<std::string, std::size_t> places_;  ///< of planned ones, by id
  std::size_t taken_ = 0;                      ///< planned ones of which it is settled whether they run
};

}  // namespace

ExperimentResults::ExperimentResults(std::vector<ExperimentRow> rows,
                                     std::shared_ptr<ResultDatabase> database)
    : rows_(std::move(rows)), database_(std::move(database)) {}

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

nlohmann::json ExperimentResults::detail(const ExperimentRow& row, const std::string& name) const {
  return row.id.empty() ? nlohmann::json() : database_->detail(row.id, name);
}

BatchOutcome ExperimentResults::outcome(const ExperimentRow& row) const {
  BatchOutcome outcome;
  outcome.message = row.message;
  outcome.code =
      row.state == ExperimentRow::State::kNotRun ? ExitCode::kInterrupted : static_cast<ExitCode>(row.code);
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
