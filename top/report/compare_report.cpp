#include "top/report/compare_report.h"

#include <algorithm>

#include "top/report/report_table.h"
#include "top/report/speedup_summary.h"

namespace heddle {

namespace {

using Kind = ReportColumn::Kind;
using Cell = ReportTable::Cell;

std::optional<double> metric(const ComparedRun& run, const std::string& name) {
  return run.outcome.figures ? run.outcome.figures->value(name) : std::nullopt;
}

/// How much faster `run` is; both have to be complete.
std::optional<double> speedup(const ComparedRun& first, const ComparedRun& run) {
  const auto base = metric(first, "cycles");
  const auto cycles = metric(run, "cycles");
  if (!first.outcome.complete() || !run.outcome.complete() || !base || !cycles || *cycles == 0) {
    return std::nullopt;
  }
  return *base / *cycles;
}

/// Of the runs that stand at `place` in the block of each workload.
void add_means(const std::vector<ComparedRun>& runs, std::size_t per_workload, ReportTable& table) {
  for (std::size_t place = 0; place < per_workload; ++place) {
    std::vector<std::optional<double>> ipcs;
    std::vector<std::optional<double>> speedups;
    for (std::size_t block = 0; block < runs.size(); block += per_workload) {
      ipcs.push_back(metric(runs[block + place], "ipc_warp"));
      speedups.push_back(speedup(runs[block], runs[block + place]));
    }
    const SpeedupSummary summary = SpeedupSummary::of(speedups);
    table.add({"geometric mean", runs[place].scheduler, nullptr, nullptr, nullptr, cell(geometric_mean(ipcs)),
               cell(summary.mean), nullptr, nullptr, nullptr, nullptr, summary.faster, summary.level,
               summary.slower});
  }
}

/// A pair of runs that differ in timing only.
struct Pair {
  const ComparedRun& ideal;
  const ComparedRun& hardware;
};

/// What the policies of a run say about the sorters and orders that they work with, over all SMs.
struct OrderFigures {
  std::optional<double> sorts;
  std::optional<double> busy_cycles;  ///< of the sorters
  std::optional<double> waited;       ///< sorts that waited for their sorter
  std::optional<double> stale;        ///< instructions issued under an order that was out of date
};

OrderFigures order_figures(const ComparedRun& run) {
  OrderFigures sums;
  if (!run.outcome.figures) return sums;
  const auto metrics = policy_metrics(*run.outcome.figures, run.policies);
  const auto add = [&metrics](std::optional<double>& sum, const std::string& name) {
    const auto found = metrics.find(name);
    if (found != metrics.end() && found->second.value) sum = sum.value_or(0) + *found->second.value;
  };
  for (const auto& [name, figure] : metrics) {
    const std::size_t leaf = name.rfind('.') + 1;
    const std::string scope = name.substr(0, leaf);
    if (name.compare(leaf, std::string::npos, "sorts") == 0) {
      add(sums.sorts, name);
      add(sums.busy_cycles, scope + "busy_cycles");
      add(sums.waited, scope + "waited");
    }
    const std::string stale = "issues_under_stale_";
    if (name.compare(leaf, stale.size(), stale) == 0 && figure.value) {
      sums.stale = std::max(sums.stale.value_or(0), *figure.value);  // an instruction may be in several
    }
  }
  return sums;
}

std::optional<double> quotient(const std::optional<double>& dividend, const std::optional<double>& divisor) {
  if (!dividend || !divisor || *divisor == 0) return std::nullopt;
  return *dividend / *divisor;
}

ReportTable timing_table(const std::vector<ComparedRun>& runs) {
  ReportTable table({{"workload", "workload", Kind::kText},
                     {"scheduler", "scheduler", Kind::kText},
                     {"status_ideal", "ideal run", Kind::kText},
                     {"status_hardware", "hardware run", Kind::kText},
                     {"ipc_ideal", "IPC, ideal", Kind::kDecimal},
                     {"ipc_hardware", "IPC, hardware", Kind::kDecimal},
                     {"ipc_ratio", "hardware / ideal", Kind::kDecimal},
                     {"sorts", "sorts", Kind::kWhole},
                     {"cycles_per_sort", "cycles per sort", Kind::kDecimal},
                     {"sorts_waited", "sorts that waited for their sorter", Kind::kWhole},
                     {"stale_issue_share", "issued under a stale order", Kind::kPercent},
                     {"part_conflicts", "uses beyond the ports", Kind::kWhole},
                     {"busiest_part", "part with the most of them", Kind::kText}});
  for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
    const Pair pair{runs[i], runs[i + 1]};
    const auto ideal = metric(pair.ideal, "ipc_warp");
    const auto hardware = metric(pair.hardware, "ipc_warp");
    const OrderFigures order = order_figures(pair.hardware);
    std::uint64_t conflicts = 0;
    Cell busiest;
    if (pair.hardware.outcome.figures) {
      for (const PartConflicts& part : pair.hardware.outcome.figures->conflicts) {
        conflicts += part.conflicts;
        if (busiest.is_null()) busiest = part.part;
      }
    }
    table.add(
        {pair.ideal.workload, pair.ideal.scheduler, pair.ideal.outcome.status(),
         pair.hardware.outcome.status(), cell(ideal), cell(hardware), cell(quotient(hardware, ideal)),
         whole_cell(order.sorts), cell(quotient(order.busy_cycles, order.sorts)), whole_cell(order.waited),
         cell(quotient(order.stale, metric(pair.hardware, "sm.warp_instructions"))), conflicts, busiest});
  }
  return table;
}

/// What the policies report, side by side: all of it, or what the timing changes.
ReportTable policy_table(const std::vector<ComparedRun>& runs, bool all) {
  ReportTable table({{"workload", "workload", Kind::kText},
                     {"scheduler", "scheduler", Kind::kText},
                     {"statistic", "statistic", Kind::kText},
                     {"unit", "unit", Kind::kText},
                     {"ideal", "ideal", Kind::kWhole},
                     {"hardware", "hardware", Kind::kWhole}});
  for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
    const Pair pair{runs[i], runs[i + 1]};
    if (!pair.ideal.outcome.figures || !pair.hardware.outcome.figures) continue;
    for (const auto& [name, figure] : policy_metrics(*pair.ideal.outcome.figures, pair.ideal.policies)) {
      const auto hardware = pair.hardware.outcome.figures->value(name);
      if (!all && figure.value == hardware) continue;
      table.add(
          {pair.ideal.workload, pair.ideal.scheduler, name, figure.unit, cell(figure.value), cell(hardware)});
    }
  }
  return table;
}

}  // namespace

std::string compare_report(const std::vector<ComparedRun>& runs, std::size_t runs_per_workload,
                           hw::CostFormat format) {
  const bool several = runs.size() > runs_per_workload;
  std::vector<ReportColumn> columns{{"workload", "workload", Kind::kText},
                                    {"scheduler", "scheduler", Kind::kText},
                                    {"status", "run", Kind::kText},
                                    {"tb_rounds", "rounds of TBs", Kind::kTenths},
                                    {"cycles", "cycles", Kind::kWhole},
                                    {"ipc_warp", "IPC", Kind::kDecimal},
                                    {"speedup", "speedup", Kind::kDecimal},
                                    {"share_issued", "issued", Kind::kPercent},
                                    {"share_idle", "idle", Kind::kPercent},
                                    {"share_scoreboard", "scoreboard", Kind::kPercent},
                                    {"share_pipeline", "pipeline", Kind::kPercent}};
  if (several) add_summary_columns(columns);
  ReportTable table(columns);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ComparedRun& run = runs[i];
    const ComparedRun& first = runs[i - i % runs_per_workload];
    std::vector<Cell> row{run.workload,
                          run.scheduler,
                          run.outcome.status(),
                          cell(run.outcome.tb_rounds()),
                          whole_cell(metric(run, "cycles")),
                          cell(metric(run, "ipc_warp")),
                          cell(speedup(first, run)),
                          cell(metric(run, "scheduler_share_issued")),
                          cell(metric(run, "scheduler_share_idle")),
                          cell(metric(run, "scheduler_share_scoreboard")),
                          cell(metric(run, "scheduler_share_pipeline"))};
    row.resize(columns.size());
    table.add(std::move(row));
  }
  if (several) add_means(runs, runs_per_workload, table);
  return table.text(format);
}

std::string timing_report(const std::vector<ComparedRun>& runs, hw::CostFormat format) {
  const ReportTable timing = timing_table(runs);
  const ReportTable policies = policy_table(runs, format == hw::CostFormat::kJson);
  if (format == hw::CostFormat::kJson) {
    const nlohmann::ordered_json both{{"runs", timing.json()}, {"policy_statistics", policies.json()}};
    return both.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  std::string text = timing.text(format);
  if (format == hw::CostFormat::kMarkdown && !policies.empty()) text += "\n" + policies.markdown();
  return text;
}

}  // namespace heddle
