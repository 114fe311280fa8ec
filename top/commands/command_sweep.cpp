#include <fmt/format.h>

#include <algorithm>

#include "top/batch/batch.h"
#include "top/commands/commands.h"
#include "top/commands/sweep/metric_check.h"
#include "top/commands/sweep/sweep_experiment.h"
#include "top/experiment/definition/points.h"
#include "top/options/command_config.h"
#include "top/report/summary/speedup_summary.h"
#include "top/support/sized_workload.h"
#include "top/text/shown_path.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;

constexpr const char* kName = "sweep";  ///< of the experiment, in a database

/// The sweep as an experiment: its points are the runs.
Experiment experiment_of(const SweepOptions& options) {
  Experiment experiment;
  experiment.name = kName;
  for (const std::string& workload : options.workloads) {
    experiment.workloads.push_back(
        {SizedWorkload::of(workload).name(), {workload}, options.on.parameters, options.on.size});
  }
  experiment.schedulers = options.schedulers;
  experiment.assignments = options.config.assignments;
  for (const SweepOptions::Axis& axis : options.axes) experiment.axes.push_back({axis.key, axis.values});
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
  BatchOutcome outcome;

  std::optional<double> figure(const std::string& metric) const {
    return outcome.figures ? outcome.figures->value(metric) : std::nullopt;
  }
};

std::vector<TableColumn> columns_of(const SweepOptions& options, bool estimates) {
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
    add_figure_column(columns, {metric, metric, Kind::kDecimal}, estimates);
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
    ipcs.push_back(runs[block + place].figure("ipc_warp"));
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
  Table table(columns_of(options, estimates));
  const std::size_t per_workload = runs.size() / options.workloads.size();
  for (std::size_t i = 0; i < runs.size(); ++i)
    table.add_by_key(row_of(runs[i], runs[i - i % per_workload], options.metrics));
  for (std::size_t place = 0; options.workloads.size() > 1 && place < per_workload; ++place)
    table.add_by_key(mean_row(runs, per_workload, place));
  return table;
}

/// What tells a run from the others.
std::string run_label(const SweepOptions& options, PointLabels labels) {
  if (options.workloads.size() == 1) labels.erase(labels.begin());
  return text_of(labels);
}

/// What a point runs, with the sweep's configuration where it says none.
RunOptions run_of(const SweepOptions& options, const Point& point) {
  RunOptions run = point.run;
  if (run.config.config.empty()) run.config.config = options.config.config;
  return run;
}

/// Its runs as points of a database.
ExitCode sweep_in_database(const SweepOptions& options) {
  Experiment experiment = experiment_of(options);
  if (!options.config.config.empty()) experiment.configs = {options.config.config};
  std::vector<RunOptions> runs;
  for (const Point& point : points_of(experiment)) {
    runs.push_back(run_of(options, point));
    static_cast<void>(
        load_command_config(runs.back().config, runs.back().scheduler));  // before the first one
  }
  check_metrics(options.metrics, runs);
  experiment.metrics = {"cycles", "ipc_warp"};
  experiment.metrics.insert(experiment.metrics.end(), options.metrics.begin(), options.metrics.end());
  return sweep_points(experiment, options);
}

ExitCode sweep_values(const SweepOptions& options) {
  std::vector<BatchRun> batch;
  std::vector<SweptRun> runs;
  std::vector<RunOptions> asked;
  for (const Point& point : points_of(experiment_of(options))) {
    BatchRun run{run_of(options, point), run_label(options, point.labels)};
    Table::Row& names = runs.emplace_back().names;
    names["workload"] = label_of(point.labels, "workload");
    names["scheduler"] = load_command_config(run.options.config, run.options.scheduler).config.scheduler.name;
    for (const SweepOptions::Axis& axis : options.axes) names[axis.key] = label_of(point.labels, axis.key);
    asked.push_back(run.options);
    batch.push_back(std::move(run));
  }
  check_metrics(options.metrics, asked);
  check_batch(batch);
  const OutputFolder folder = OutputFolder::open("sweep", options.out, SweepOptions::kOut);
  folder.clear_runs();
  const std::vector<BatchOutcome> outcomes =
      run_batch("sweep", std::move(batch), folder, options.quiet, options.jobs);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].outcome = outcomes[i];
  fmt::print("{}", table_of(options, runs).print(options.format));
  if (options.format == OutputFormat::kText) {
    fmt::print("\nResults of each run in {0}/; charts: heddle report {0}\n", shown_path(folder.path()));
  }
  return batch_code(outcomes);
}

}  // namespace

ExitCode sweep_command(const SweepOptions& options) {
  if (!options.experiment.empty()) return sweep_experiment(options);
  return options.in_database ? sweep_in_database(options) : sweep_values(options);
}

}  // namespace heddle
