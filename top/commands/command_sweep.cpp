#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "top/commands/commands.h"
#include "top/commands/sweep/metric_check.h"
#include "top/commands/sweep/stopped_points.h"
#include "top/commands/sweep/sweep_experiment.h"
#include "top/experiment/definition/points.h"
#include "top/experiment/experiment_run.h"
#include "top/experiment/point/point_check.h"
#include "top/experiment/run_ends.h"
#include "top/options/command_config.h"
#include "top/report/summary/speedup_summary.h"
#include "top/support/sized_workload.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;

constexpr const char* kName = "sweep";  ///< of the experiment

/// The sweep as an experiment: its points are the runs.
Experiment experiment_of(const SweepOptions& options) {
  Experiment experiment;
  experiment.name = kName;
  for (const std::string& workload : options.workloads) {
    experiment.workloads.push_back(
        {SizedWorkload::of(workload).name(), {workload}, options.on.parameters, options.on.size});
  }
  if (!options.config.config.empty()) experiment.configs = {options.config.config};
  experiment.schedulers = options.schedulers;
  experiment.assignments = options.config.assignments;
  for (const SweepOptions::Axis& axis : options.axes) {
    if (!experiment.list_with(axis.key).empty())
      throw UsageError(fmt::format("heddle sweep: --set {}={}: the key has several values already", axis.key,
                                   fmt::join(axis.values, ",")));
    experiment.axes.push_back({axis.key, axis.values});
  }
  experiment.registers = options.on.registers;
  experiment.limits.cycles = options.on.max_cycles;
  experiment.record = options.record;
  experiment.sample = options.sample;
  return experiment;
}

/// Throws UsageError for a metric that stats.json of none of the runs will have.
void check_metrics(const std::vector<std::string>& wanted, const std::vector<RunOptions>& runs) {
  if (const auto unknown = find_unknown_metric(wanted, runs)) {
    throw UsageError(fmt::format("heddle sweep: --metric {}: stats.json has no such metric{}",
                                 wanted[unknown->place], unknown->hint));
  }
}

/// One run of the sweep: the cells that tell it from the others, and its result.
struct SweptRun {
  Table::Row names;  ///< workload, scheduler, a value per axis
  RunOutcome outcome;

  std::optional<double> figure(const std::string& metric) const {
    return outcome.figures ? outcome.figures->value(metric) : std::nullopt;
  }
};

/// "energy (nJ)"; of a figure without a unit its name.
std::string heading_of(const std::string& metric, const std::vector<SweptRun>& runs) {
  for (const SweptRun& run : runs) {
    if (!run.outcome.figures) continue;
    const auto found = run.outcome.figures->metrics.find(metric);
    if (found != run.outcome.figures->metrics.end()) return heading_with_unit(metric, found->second.unit);
  }
  return metric;
}

std::vector<TableColumn> columns_of(const SweepOptions& options, const std::vector<SweptRun>& runs,
                                    bool estimates) {
  std::vector<TableColumn> columns{
      {"workload", "workload", Kind::kText, options.workloads.size() > 1 ? Rank::kKey : Rank::kDetail},
      {"scheduler", "scheduler", Kind::kText, options.schedulers.size() > 1 ? Rank::kKey : Rank::kDetail}};
  for (const SweepOptions::Axis& axis : options.axes)
    columns.push_back({axis.key, axis.key, Kind::kText, Rank::kKey});
  columns.push_back({"status", "run", Kind::kText, Rank::kUsual});
  columns.push_back({"tb_rounds", "rounds of TBs", Kind::kTenths, Rank::kDetail});
  add_figure_column(columns, {"cycles", "cycles", Kind::kWhole}, estimates);
  add_figure_column(columns, {"ipc_warp", "IPC", Kind::kDecimal}, estimates);
  add_speedup_columns(columns, estimates);
  columns.push_back({"bits_per_sm", "bits per SM", Kind::kWhole});
  columns.push_back({"nand2_per_sm", "NAND2-eq per SM", Kind::kWhole});
  for (const std::string& metric : options.metrics)
    add_figure_column(columns, {metric, heading_of(metric, runs), Kind::kFigure}, estimates);
  if (options.workloads.size() > 1) add_summary_columns(columns, estimates);
  return columns;
}

Table::Row row_of(const SweptRun& run, const SweptRun& first, const std::vector<std::string>& metrics) {
  Table::Row row = run.names;
  for (const std::string& metric : metrics) put_figure(row, metric, run.outcome.figures, metric);
  put_figure(row, "cycles", run.outcome.figures, "cycles");
  put_figure(row, "ipc_warp", run.outcome.figures, "ipc_warp");
  row["status"] = run.outcome.status();
  row["tb_rounds"] = cell(run.outcome.tb_rounds());
  row["cycles"] = whole_cell(run.figure("cycles"));
  put_speedup(row, speedup(first.outcome, run.outcome));
  put_price(row, run.outcome.figures);
  return row;
}

/// Of the runs of one point, `place` in the block of each workload.
Table::Row mean_row(const std::vector<SweptRun>& runs, std::size_t per_workload, std::size_t place) {
  std::vector<std::optional<double>> ipcs;
  std::vector<std::optional<Speedup>> speedups;
  for (std::size_t block = 0; block < runs.size(); block += per_workload) {
    ipcs.push_back(runs[block + place].outcome.figure_of_whole("ipc_warp"));
    speedups.push_back(speedup(runs[block].outcome, runs[block + place].outcome));
  }
  Table::Row row = runs[place].names;
  row["workload"] = "geometric mean";
  row["ipc_warp"] = cell(geometric_mean(ipcs));
  put_summary(row, SpeedupSummary::of(speedups));
  return row;
}

Table table_of(const SweepOptions& options, const std::vector<SweptRun>& runs) {
  const bool estimates = std::any_of(runs.begin(), runs.end(), [](const SweptRun& run) {
    return run.outcome.figures && run.outcome.figures->sampled;
  });
  Table table(columns_of(options, runs, estimates));
  const std::size_t per_workload = runs.size() / options.workloads.size();
  for (std::size_t i = 0; i < runs.size(); ++i)
    table.add_by_key(row_of(runs[i], runs[i - i % per_workload], options.metrics));
  for (std::size_t place = 0; options.workloads.size() > 1 && place < per_workload; ++place)
    table.add_by_key(mean_row(runs, per_workload, place));
  return table;
}

/// What tells a run from the others.
std::string run_label(const SweepOptions& options, PointLabels labels) {
  if (!options.config.config.empty()) labels.erase(labels.begin() + 1);  // the same of all
  if (options.workloads.size() == 1) labels.erase(labels.begin());
  return text_of(labels);
}

Table::Row names_of(const Point& point, const SweepOptions& options) {
  Table::Row names;
  names["workload"] = label_of(point.labels, "workload");
  names["scheduler"] = load_command_config(point.run.config, point.run.scheduler).config.scheduler.name;
  for (const SweepOptions::Axis& axis : options.axes) names[axis.key] = label_of(point.labels, axis.key);
  return names;
}

/// In a folder for each run, and with what each has gained over the first.
ExitCode sweep_in_folders(const Experiment& experiment, const std::vector<Point>& points,
                          const SweepOptions& options) {
  check_points(points);
  std::vector<SweptRun> runs;
  std::vector<std::string> labels;
  for (const Point& point : points) {
    runs.push_back({names_of(point, options), {}});
    labels.push_back(run_label(options, point.labels));
  }
  const RunFolders folders =
      RunFolders::of(OutputFolder::open(kName, options.out, SweepOptions::kOut), labels);
  EngineOptions engine;
  engine.folders = &folders;
  engine.jobs = options.jobs;
  engine.quiet = options.quiet;
  engine.command = kName;
  const ExperimentResults results = run_experiment(experiment, engine);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].outcome = results.outcome(results.rows()[i]);
    tell_problem(kName, labels[i], results.rows()[i], runs[i].outcome);
  }
  fmt::print("{}", table_of(options, runs).print(options.format));
  if (options.format == OutputFormat::kText) fmt::print("\n{}", where_results_are(engine));
  tell_stopped_points(kName, results.count(ExperimentRow::State::kDone), runs.size(), {});
  return results.code();
}

ExitCode sweep_values(const SweepOptions& options) {
  Experiment experiment = experiment_of(options);
  const std::vector<Point> points = points_of(experiment);
  std::vector<RunOptions> runs;
  for (const Point& point : points) {
    runs.push_back(point.run);
    static_cast<void>(load_command_config(point.run.config, point.run.scheduler));  // before the first one
  }
  check_metrics(options.metrics, runs);
  if (!options.in_database) return sweep_in_folders(experiment, points, options);
  experiment.metrics = {"cycles", "ipc_warp"};
  experiment.metrics.insert(experiment.metrics.end(), options.metrics.begin(), options.metrics.end());
  return sweep_points(experiment, options);
}

}  // namespace

ExitCode sweep_command(const SweepOptions& options) {
  return options.experiment.empty() ? sweep_values(options) : sweep_experiment(options);
}

}  // namespace heddle
