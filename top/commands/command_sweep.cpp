#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/nearest_name.h"
#include "top/batch/batch.h"
#include "top/commands/commands.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/stat_registry.h"
#include "top/options/command_config.h"
#include "top/report/report_table.h"
#include "top/report/stats_json.h"

namespace heddle {

namespace {

using Kind = ReportColumn::Kind;
using Point = std::vector<std::string>;  ///< a value per axis

/// The name of an axis of configurations, as --config names them.
constexpr const char* kConfigAxis = "config";

/// All combinations, the last axis turning fastest.
std::vector<Point> points_of(const std::vector<SweepOptions::Axis>& axes) {
  std::vector<Point> points{{}};
  for (const SweepOptions::Axis& axis : axes) {
    std::vector<Point> longer;
    for (const Point& point : points) {
      for (const std::string& value : axis.values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    }
    points = std::move(longer);
  }
  return points;
}

std::vector<std::string> metrics_of(const RunOptions& run) {
  const std::unique_ptr<Gpu> gpu = build_gpu(load_command_config(run.config, run.scheduler));
  StatRegistry registry;
  registry.begin();
  gpu->report(registry);
  const StatValues values = registry.end();
  return metric_names(registry, values);
}

/// Throws UsageError for a metric that stats.json of none of the runs will have.
void check_metrics(const std::vector<std::string>& wanted, const std::vector<BatchRun>& runs) {
  std::set<std::string> known;
  const auto is_known = [&known](const std::string& metric) { return known.count(metric) != 0; };
  for (const BatchRun& run : runs) {
    if (std::all_of(wanted.begin(), wanted.end(), is_known)) return;
    for (std::string& metric : metrics_of(run.options)) known.insert(std::move(metric));
  }
  const auto unknown = std::find_if_not(wanted.begin(), wanted.end(), is_known);
  if (unknown == wanted.end()) return;
  throw UsageError(fmt::format("heddle sweep: --metric {}: stats.json has no such metric{}", *unknown,
                               did_you_mean(*unknown, {known.begin(), known.end()})));
}

ReportTable empty_table(const SweepOptions& options) {
  std::vector<ReportColumn> columns{{"scheduler", "scheduler", Kind::kText}};
  for (const SweepOptions::Axis& axis : options.axes) columns.push_back({axis.key, axis.key, Kind::kText});
  columns.insert(columns.end(), {{"status", "run", Kind::kText},
                                 {"cycles", "cycles", Kind::kWhole},
                                 {"ipc_warp", "IPC", Kind::kDecimal},
                                 {"speedup", "speedup", Kind::kDecimal},
                                 {"bits_per_sm", "bits per SM", Kind::kWhole},
                                 {"nand2_per_sm", "NAND2-eq per SM", Kind::kWhole}});
  for (const std::string& metric : options.metrics) columns.push_back({metric, metric, Kind::kDecimal});
  return ReportTable(std::move(columns));
}

}  // namespace

ExitCode sweep_command(const SweepOptions& options) {
  std::vector<std::string> schedulers = options.schedulers;
  if (schedulers.empty()) schedulers.emplace_back();
  const std::vector<Point> points = points_of(options.axes);
  std::vector<BatchRun> batch;
  std::vector<std::vector<ReportTable::Cell>> rows;
  for (const std::string& scheduler : schedulers) {
    for (const Point& point : points) {
      BatchRun run;
      run.options.config = options.config;
      run.options.workload = options.workload;
      run.options.scheduler = scheduler;
      run.options.on = options.on;
      run.label = scheduler;
      auto& row = rows.emplace_back();
      for (std::size_t i = 0; i < point.size(); ++i) {
        const std::string assignment = options.axes[i].key + "=" + point[i];
        if (options.axes[i].key == kConfigAxis) {
          run.options.config.config = point[i];
        } else {
          run.options.config.assignments.push_back(assignment);
        }
        run.label += (run.label.empty() ? "" : " ") + assignment;
      }
      row.emplace_back(load_command_config(run.options.config, scheduler).config.scheduler.name);
      row.insert(row.end(), point.begin(), point.end());
      batch.push_back(std::move(run));
    }
  }
  check_metrics(options.metrics, batch);
  const std::vector<BatchOutcome> outcomes = run_batch("sweep", std::move(batch), options.out);
  ReportTable table = empty_table(options);
  const auto cycles_of = [&outcomes](std::size_t i) {
    return outcomes[i].figures ? outcomes[i].figures->value("cycles") : std::nullopt;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const BatchOutcome& outcome = outcomes[i];
    std::optional<double> speedup;
    if (outcomes[0].complete() && outcome.complete() && cycles_of(i).value_or(0) > 0) {
      speedup = cycles_of(0).value_or(0) / *cycles_of(i);
    }
    auto& row = rows[i];
    row.emplace_back(outcome.status());
    row.push_back(whole_cell(cycles_of(i)));
    row.push_back(cell(outcome.figures ? outcome.figures->value("ipc_warp") : std::nullopt));
    row.push_back(cell(speedup));
    if (!outcome.figures) {
      row.insert(row.end(), 2, ReportTable::Cell());
    } else if (!outcome.figures->priced) {
      row.insert(row.end(), 2, ReportTable::Cell("unpriced"));
    } else {
      row.emplace_back(outcome.figures->bits_per_sm);
      row.emplace_back(outcome.figures->nand2_per_sm);
    }
    for (const std::string& metric : options.metrics) {
      row.push_back(cell(outcome.figures ? outcome.figures->value(metric) : std::nullopt));
    }
    table.add(std::move(row));
  }
  fmt::print("{}", table.text(options.format));
  return batch_code(outcomes);
}

}  // namespace heddle
