#include "top/commands/sweep/sweep_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <vector>

#include "base/stop.h"
#include "top/cluster/cluster_executor.h"
#include "top/commands/sweep/metric_check.h"
#include "top/commands/sweep/stopped_points.h"
#include "top/config/config_loader.h"
#include "top/experiment/definition/experiment_reader.h"
#include "top/experiment/definition/workload_entry.h"
#include "top/experiment/experiment_run.h"
#include "top/experiment/point/point_check.h"
#include "top/experiment/point/point_result.h"
#include "top/options/option_parser.h"
#include "top/report/summary/speedup_summary.h"
#include "top/support/output/console.h"
#include "top/support/project_files.h"
#include "top/support/stats_file.h"
#include "top/text/document.h"
#include "top/text/shell_word.h"
#include "top/text/shown_path.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;
using State = ExperimentRow::State;

constexpr std::size_t kMostFailuresTold = 20;

/// Of kind timed they are called by its kernels, which only its file has.
bool is_of_kernels(const std::string& metric) {
  return metric.rfind("alone.", 0) == 0 || metric.rfind("set.", 0) == 0;
}

/// Throws for a metric that no point will have.
void check_metrics(const Experiment& experiment) {
  if (experiment.metrics.empty()) return;
  std::vector<RunOptions> runs;
  const std::vector<std::string> further = further_figure_names();
  std::set<std::string> known{further.begin(), further.end()};
  known.insert("wall_seconds");
  for (Point& point : points_of(experiment)) {
    if (!point.timed) {
      runs.push_back(std::move(point.run));
      continue;
    }
    std::copy_if(experiment.metrics.begin(), experiment.metrics.end(), std::inserter(known, known.end()),
                 is_of_kernels);
  }
  const auto unknown = find_unknown_metric(experiment.metrics, runs, std::move(known));
  if (!unknown) return;
  const std::string problem =
      fmt::format("{}: no point has such a figure{}", experiment.metrics[unknown->place], unknown->hint);
  if (experiment.metric_places.empty()) throw UsageError("heddle sweep: --metric " + problem);
  throw std::invalid_argument(
      fmt::format("{}: metrics: {}", experiment.metric_places[unknown->place], problem));
}

/// The file of the experiment that was named. Workloads are without a key of several values.
std::string file_of(const std::string& name) {
  const std::string path = ProjectFiles().experiment(name);
  if (path.empty() && names_a_file(name))
    throw FileNotFound(fmt::format("there is no file '{}', and no experiment of that name", name));
  if (path.empty() || is_workload(path)) throw UsageError(option_parser::kNoAxis);
  return path;
}

/// --set KEY=VALUE goes over what the file sets, of keys of which it has no list.
void check_assignment(const std::string& assignment, const Experiment& experiment) {
  ConfigLoader().set(assignment);  // is there such?
  const std::string list = experiment.list_with(assignment.substr(0, assignment.find('=')));
  if (!list.empty())
    throw UsageError(fmt::format(
        "heddle sweep: --set {}: its points have this key from '{}' of the experiment", assignment, list));
}

Experiment load(const SweepOptions& options) {
  Experiment experiment = read_experiment(file_of(options.experiment));
  for (const std::string& assignment : options.config.assignments) check_assignment(assignment, experiment);
  experiment.assignments.insert(experiment.assignments.end(), options.config.assignments.begin(),
                                options.config.assignments.end());
  if (!options.metrics.empty()) {
    experiment.metrics = options.metrics;
    experiment.metric_places.clear();
  }
  check_metrics(experiment);
  if (experiment.metrics.empty()) experiment.metrics = {"cycles", "ipc_warp"};
  return experiment;
}

/// Labels that some point has, in the order in which they come.
std::vector<std::string> label_names(const std::vector<ExperimentRow>& rows) {
  std::vector<std::string> names;
  for (const ExperimentRow& row : rows) {
    for (const auto& [name, value] : row.point.labels) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

/// Counts are whole numbers in JSON and CSV too.
Table::Cell figure_cell(std::optional<double> value) {
  constexpr double kMostExact = 9007199254740992;  // 2^53
  if (!value || std::abs(*value) >= kMostExact || *value != std::floor(*value)) return cell(value);
  return static_cast<std::int64_t>(*value);
}

Table table_of(const ExperimentResults& results, const Experiment& experiment) {
  const std::vector<std::string> labels = label_names(results.rows());
  std::vector<TableColumn> columns;
  for (const std::string& name : labels) columns.push_back({name, name, Kind::kText, Rank::kKey});
  columns.push_back({"status", "point", Kind::kText});
  for (const std::string& metric : experiment.metrics)
    add_figure_column(columns, {metric, heading_with_unit(metric, results.unit(metric)), Kind::kFigure},
                      experiment.sample);
  columns.push_back({"seconds", "seconds", Kind::kTenths, Rank::kDetail});
  columns.push_back({"id", "id", Kind::kText, Rank::kDetail, TableColumn::For::kPrograms});
  Table table(columns);
  for (const ExperimentRow& row : results.rows()) {
    Table::Row cells;
    for (const std::string& metric : experiment.metrics) {
      for (const std::string& name : {metric, half_interval_name(metric)})
        cells[name] = figure_cell(results.value(row, name));
    }
    for (const std::string& name : labels) cells[name] = label_of(row.point.labels, name);
    cells["status"] = row.status;
    if (row.state != State::kNotRun) cells["seconds"] = row.wall_seconds;
    cells["id"] = row.id;
    table.add_by_key(cells);
  }
  return table;
}

std::string summary(const ExperimentResults& results, const std::string& database) {
  std::map<std::string, std::size_t> reasons;
  for (const ExperimentRow& row : results.rows()) {
    if (row.state == State::kFailed) ++reasons[row.status];
  }
  std::string text = fmt::format("{} of {} points done", results.count(State::kDone), results.rows().size());
  if (const std::size_t failed = results.count(State::kFailed); failed != 0) {
    std::string list;
    for (const auto& [reason, count] : reasons)
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, reason);
    text += fmt::format(", {} failed ({})", failed, list);
  }
  if (const std::size_t left = results.count(State::kNotRun); left != 0)
    text += fmt::format(", {} not run", left);
  return fmt::format("{}. Figures: heddle results export --db {}\n", text, shell_word(shown_path(database)));
}

/// Which points failed, and why.
void tell_failures(const ExperimentResults& results, const std::string& database) {
  std::size_t told = 0;
  for (const ExperimentRow& row : results.rows()) {
    if (row.state != State::kFailed || ++told > kMostFailuresTold) continue;
    tell("heddle sweep: {}: {}{}{}\n", text_of(row.point.labels), row.status, row.message.empty() ? "" : ": ",
         row.message);
  }
  if (told > kMostFailuresTold)
    tell("heddle sweep: {} more points failed; heddle results failed --db {} shows all\n",
         told - kMostFailuresTold, shell_word(shown_path(database)));
}

}  // namespace

ExitCode sweep_experiment(const SweepOptions& options) { return sweep_points(load(options), options); }

CheckedExperiment check_experiment(const std::string& path) {
  const Experiment experiment = read_experiment(path);
  check_metrics(experiment);
  const std::vector<Point> points = points_of(experiment);
  std::vector<Point> runs;
  std::copy_if(points.begin(), points.end(), std::back_inserter(runs),
               [](const Point& point) { return !point.timed; });
  check_points(runs);
  return {experiment.name, points.size()};
}

ExitCode sweep_points(const Experiment& experiment, const SweepOptions& options) {
  EngineOptions engine;
  if (!options.database.empty()) engine.database = options.database;
  engine.jobs = options.jobs;
  engine.retry_failed = options.retry_failed;
  engine.plan_only = options.dry_run;
  engine.quiet = options.quiet;
  const std::unique_ptr<PointExecutor> cluster = cluster_executor(options.cluster);
  engine.executor = cluster.get();
  if (options.dry_run && !std::filesystem::exists(engine.database))
    tell("heddle sweep: {}: there is no such database of results yet: no point has run\n",
         shown_path(engine.database));
  const ExperimentResults results = run_experiment(experiment, engine);
  tell_failures(results, engine.database);
  fmt::print("{}", table_of(results, experiment).print(options.format));
  if (options.format == OutputFormat::kText) fmt::print("\n{}", summary(results, engine.database));
  tell_stopped_points("sweep", results.count(State::kDone), results.rows().size(), options.cluster);
  return options.dry_run ? ExitCode::kOk : results.code();
}

}  // namespace heddle
