#include "top/report/summary/compare_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "modules/counts/issue_cause.h"
#include "top/report/summary/speedup_summary.h"
#include "top/support/output/text_format.h"
#include "top/text/document.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;
using For = TableColumn::For;
using Cell = Table::Cell;

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

/// A cause and its part of something.
struct CausePart {
  std::string cause;
  double part = 0;
};

constexpr std::size_t kShownCauses = 3;
constexpr double kLeastShownShare = 0.05;   ///< of the scheduler cycles, to be shown
constexpr double kLeastDifference = 0.005;  ///< of the first run's time

double share_of(const ComparedRun& run, const std::string& cause) {
  return metric(run, "scheduler_share_" + cause).value_or(0);
}

/// What took most of the scheduler cycles in which nothing was issued, the most first.
std::vector<CausePart> most_stalls(const ComparedRun& run) {
  std::vector<CausePart> parts;
  for (unsigned c = 0; c < kNumIssueCauses; ++c) {
    const IssueCauseInfo& cause = info(static_cast<IssueCause>(c));
    if (cause.issue_class == IssueClass::kIssued) continue;
    if (const double share = share_of(run, cause.name); share >= kLeastShownShare)
      parts.push_back({cause.name, share});
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const CausePart& a, const CausePart& b) { return a.part > b.part; });
  parts.resize(std::min(parts.size(), kShownCauses));
  return parts;
}

/// By what the time of `run` differs from that of `first`, in parts of the latter, the greatest first: a
/// cause's scheduler cycles in one less those in the other. Over all causes, "issued" among them, these are
/// the difference of the times.
std::vector<CausePart> differences(const ComparedRun& first, const ComparedRun& run) {
  const auto ratio = speedup(first, run);
  if (!ratio || &first == &run) return {};
  std::vector<CausePart> parts;
  for (unsigned c = 0; c < kNumIssueCauses; ++c) {
    const char* const cause = info(static_cast<IssueCause>(c)).name;
    const double difference = share_of(run, cause) / *ratio - share_of(first, cause);
    if (std::fabs(difference) >= kLeastDifference) parts.push_back({cause, difference});
  }
  std::stable_sort(parts.begin(), parts.end(), [](const CausePart& a, const CausePart& b) {
    return std::fabs(a.part) > std::fabs(b.part);
  });
  parts.resize(std::min(parts.size(), kShownCauses));
  return parts;
}

std::string stalls_text(const std::vector<CausePart>& parts) {
  std::string text;
  for (const CausePart& part : parts) {
    text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", part.cause, 100 * part.part);
  }
  return text;
}

std::string differences_text(const std::vector<CausePart>& parts) {
  std::string text;
  for (const CausePart& part : parts) {
    text += fmt::format("{}{} {:+.1f}%", text.empty() ? "" : ", ", part.cause, 100 * part.part);
  }
  return text;
}

Cell text_cell(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

/// A cell for people, then name and part of each, for programs.
void add_cause_cells(std::vector<Cell>& row, const std::string& text, const std::vector<CausePart>& parts) {
  row.push_back(text_cell(text));
  for (std::size_t i = 0; i < kShownCauses; ++i) {
    row.push_back(i < parts.size() ? Cell(parts[i].cause) : Cell());
    row.push_back(i < parts.size() ? Cell(parts[i].part) : Cell());
  }
}

Ink ink_of_status(const Cell& cell) {
  return cell == "complete" || cell == "sampled" ? Ink::kPlain : Ink::kBad;
}

std::vector<TableColumn> compare_columns(const std::vector<ComparedRun>& runs, bool several) {
  const bool all_complete = std::all_of(
      runs.begin(), runs.end(), [](const ComparedRun& run) { return run.outcome.status() == "complete"; });
  std::vector<TableColumn> columns{
      {"workload", "workload", Kind::kText, several ? Rank::kKey : Rank::kDetail},
      {"scheduler", "scheduler", Kind::kText, Rank::kKey},
      {"status", "run", Kind::kText, all_complete ? Rank::kDetail : Rank::kKey, For::kAll, &ink_of_status},
      {"tb_rounds", "rounds of TBs", Kind::kTenths, Rank::kDetail},
      {"cycles", "cycles", Kind::kWhole},
      {"ipc_warp", "IPC", Kind::kDecimal, Rank::kDetail},
      {"speedup", "speedup", Kind::kDecimal, Rank::kKey, For::kAll, &ink_of_speedup},
      {"share_issued", "issued", Kind::kPercent, Rank::kDetail},
      {"share_idle", "idle", Kind::kPercent, Rank::kDetail},
      {"share_scoreboard", "scoreboard", Kind::kPercent, Rank::kDetail},
      {"share_pipeline", "pipeline", Kind::kPercent, Rank::kDetail}};
  const auto add_causes = [&columns](const char* key, const char* part, const char* heading, Rank rank) {
    columns.push_back({key, heading, Kind::kText, rank, For::kPeople});
    for (std::size_t i = 1; i <= kShownCauses; ++i) {
      columns.push_back({fmt::format("{}_{}", key, i), "", Kind::kText, Rank::kUsual, For::kPrograms});
      columns.push_back(
          {fmt::format("{}_{}_{}", key, i, part), "", Kind::kDecimal, Rank::kUsual, For::kPrograms});
    }
  };
  add_causes("stall", "share", "most stalls", Rank::kUsual);
  add_causes("why", "time_share", "time against the first, by cause", Rank::kKey);
  columns.push_back({"bits_per_sm", "bits per SM", Kind::kWhole, Rank::kKey});
  columns.push_back({"nand2_per_sm", "NAND2-eq per SM", Kind::kWhole, Rank::kKey});
  if (several) add_summary_columns(columns);
  return columns;
}

std::vector<Cell> compare_row(const ComparedRun& run, const ComparedRun& first) {
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
  const std::vector<CausePart> stalls = most_stalls(run);
  add_cause_cells(row, stalls_text(stalls), stalls);
  const std::vector<CausePart> why = differences(first, run);
  add_cause_cells(row, differences_text(why), why);
  add_price_cells(row, run.outcome.figures);
  return row;
}

/// Of the runs that stand at `place` in the block of each workload.
struct Mean {
  std::optional<double> ipc;
  SpeedupSummary speedups;
};

Mean mean_of(const std::vector<ComparedRun>& runs, std::size_t per_workload, std::size_t place) {
  std::vector<std::optional<double>> ipcs;
  std::vector<std::optional<double>> speedups;
  for (std::size_t block = 0; block < runs.size(); block += per_workload) {
    ipcs.push_back(metric(runs[block + place], "ipc_warp"));
    speedups.push_back(speedup(runs[block], runs[block + place]));
  }
  return {geometric_mean(ipcs), SpeedupSummary::of(speedups)};
}

void add_means(const std::vector<ComparedRun>& runs, std::size_t per_workload, std::size_t columns,
               Table& table) {
  for (std::size_t place = 0; place < per_workload; ++place) {
    const Mean mean = mean_of(runs, per_workload, place);
    std::vector<Cell> row{"geometric mean", runs[place].scheduler,   nullptr, nullptr, nullptr,
                          cell(mean.ipc),   cell(mean.speedups.mean)};
    row.resize(columns - 3);
    row.insert(row.end(), {mean.speedups.faster, mean.speedups.level, mean.speedups.slower});
    table.add(std::move(row));
  }
}

/// "12,345 bits and 67,890 NAND2-equivalents per SM".
std::string price_text(const RunFigures& figures) {
  if (!figures.priced) return "a price that is not known: it is built of no parts";
  return fmt::format("{} bits and {} NAND2-equivalents per SM", grouped(figures.bits_per_sm),
                     grouped(static_cast<std::uint64_t>(std::llround(figures.nand2_per_sm))));
}

/// Who is ahead, why, and at what cost.
std::string verdict(const std::vector<ComparedRun>& runs, std::size_t per_workload) {
  const bool several = runs.size() > per_workload;
  const auto speedup_at = [&](std::size_t place) {
    return several ? mean_of(runs, per_workload, place).speedups.mean : speedup(runs[0], runs[place]);
  };
  std::size_t best = 0;
  for (std::size_t place = 0; place < per_workload; ++place) {
    if (!speedup_at(place)) return "";
    if (*speedup_at(place) > *speedup_at(best)) best = place;
  }
  const ComparedRun& first = runs.front();
  const ComparedRun& run = runs[best];
  const double ratio = *speedup_at(best);
  if (ratio <= 1 + kTie) return fmt::format("None is more than 1% faster than {}.", first.scheduler);
  std::string text = fmt::format("{} is ahead: {:.2f} times as fast as {}{}.", run.scheduler, ratio,
                                 first.scheduler, several ? " in the geometric mean" : "");
  const std::vector<CausePart> why = differences(first, run);
  if (!several && !why.empty()) {
    text += fmt::format(" Its time differs by {:+.1f}%, most of it: {}.", 100 * (1 / ratio - 1),
                        differences_text(why));
  }
  if (run.outcome.figures && first.outcome.figures) {
    text += fmt::format(" It costs {}; {} costs {}.", price_text(*run.outcome.figures), first.scheduler,
                        price_text(*first.outcome.figures));
  }
  return text;
}

/// Whether the outputs are right.
std::string checks_text(const std::vector<ComparedRun>& runs) {
  std::size_t checked = 0;
  std::size_t wrong = 0;
  for (const ComparedRun& run : runs) {
    if (!run.outcome.complete() || run.outcome.figures->checks == 0) continue;
    ++checked;
    wrong += run.outcome.figures->checks_passed != run.outcome.figures->checks ? 1 : 0;
  }
  if (checked == 0) return "";
  const std::string of = fmt::format("{} of {} runs", checked, runs.size());
  if (wrong != 0)
    return fmt::format("Outputs of {} were held against their references: {} are wrong.", of, wrong);
  return fmt::format("The outputs of {} agree with their references.", of);
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

Table timing_table(const std::vector<ComparedRun>& runs) {
  Table table({{"workload", "workload", Kind::kText},
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
Table policy_table(const std::vector<ComparedRun>& runs, bool all) {
  Table table({{"workload", "workload", Kind::kText},
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
                           OutputFormat format) {
  const bool several = runs.size() > runs_per_workload;
  const std::vector<TableColumn> columns = compare_columns(runs, several);
  Table table(columns);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<Cell> row = compare_row(runs[i], runs[i - i % runs_per_workload]);
    row.resize(columns.size());
    table.add(std::move(row));
  }
  if (several) add_means(runs, runs_per_workload, columns.size(), table);
  if (format == OutputFormat::kCsv || format == OutputFormat::kJson) return table.print(format);
  Document out(format);
  out.table(table);
  for (const std::string& text : {verdict(runs, runs_per_workload), checks_text(runs)}) {
    if (!text.empty()) out.paragraph(text);
  }
  return out.text();
}

std::string timing_report(const std::vector<ComparedRun>& runs, OutputFormat format) {
  const Table timing = timing_table(runs);
  const Table policies = policy_table(runs, format == OutputFormat::kJson);
  if (format == OutputFormat::kJson) {
    return print_json({{"runs", timing.json()}, {"policy_statistics", policies.json()}});
  }
  if (format == OutputFormat::kCsv) return timing.csv();
  Document out(format);
  out.table(timing);
  if (!policies.empty()) out.table(policies);
  return out.text();
}

}  // namespace heddle
