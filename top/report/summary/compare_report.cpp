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

bool has_estimates(const std::vector<ComparedRun>& runs) {
  return std::any_of(runs.begin(), runs.end(), [](const ComparedRun& run) {
    return run.outcome.figures && run.outcome.figures->sampled;
  });
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
  const auto ratio = speedup(first.outcome, run.outcome);
  if (!ratio || &first == &run) return {};
  std::vector<CausePart> parts;
  for (unsigned c = 0; c < kNumIssueCauses; ++c) {
    const char* const cause = info(static_cast<IssueCause>(c)).name;
    const double difference = share_of(run, cause) / ratio->value - share_of(first, cause);
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

/// A cell for people, then name and part of each, for programs.
void put_causes(Table::Row& row, const std::string& key, const char* part, const std::string& text,
                const std::vector<CausePart>& parts) {
  if (!text.empty()) row[key] = text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    row[fmt::format("{}_{}", key, i + 1)] = parts[i].cause;
    row[fmt::format("{}_{}_{}", key, i + 1, part)] = parts[i].part;
  }
}

Ink ink_of_status(const Cell& cell) {
  return cell == "complete" || cell == "sampled" ? Ink::kPlain : Ink::kBad;
}

/// Shares of the scheduler cycles that have columns of their own.
constexpr const char* kShares[] = {"issued", "idle", "scoreboard", "pipeline"};
constexpr const char* kStall = "stall";
constexpr const char* kStallPart = "share";
constexpr const char* kWhy = "why";
constexpr const char* kWhyPart = "time_share";

std::vector<TableColumn> compare_columns(const std::vector<ComparedRun>& runs, bool several) {
  const bool all_complete = std::all_of(
      runs.begin(), runs.end(), [](const ComparedRun& run) { return run.outcome.status() == "complete"; });
  const bool estimates = has_estimates(runs);
  std::vector<TableColumn> columns{
      {"workload", "workload", Kind::kText, several ? Rank::kKey : Rank::kDetail},
      {"scheduler", "scheduler", Kind::kText, Rank::kKey},
      {"status", "run", Kind::kText, all_complete ? Rank::kDetail : Rank::kKey, For::kAll, &ink_of_status},
      {"tb_rounds", "rounds of TBs", Kind::kTenths, Rank::kDetail}};
  add_figure_column(columns, {"cycles", "cycles", Kind::kWhole}, estimates);
  add_figure_column(columns, {"ipc_warp", "IPC", Kind::kDecimal, Rank::kDetail}, estimates);
  add_speedup_columns(columns, estimates);
  for (const std::string share : kShares)
    add_figure_column(columns, {"share_" + share, share, Kind::kPercent, Rank::kDetail}, estimates);
  const auto add_causes = [&columns](const char* key, const char* part, const char* heading, Rank rank) {
    columns.push_back({key, heading, Kind::kText, rank, For::kPeople});
    for (std::size_t i = 1; i <= kShownCauses; ++i) {
      columns.push_back({fmt::format("{}_{}", key, i), "", Kind::kText, Rank::kUsual, For::kPrograms});
      columns.push_back(
          {fmt::format("{}_{}_{}", key, i, part), "", Kind::kDecimal, Rank::kUsual, For::kPrograms});
    }
  };
  add_causes(kStall, kStallPart, "most stalls", Rank::kUsual);
  add_causes(kWhy, kWhyPart, "time against the first, by cause", Rank::kKey);
  columns.push_back({"bits_per_sm", "bits per SM", Kind::kWhole, Rank::kKey});
  columns.push_back({"nand2_per_sm", "NAND2-eq per SM", Kind::kWhole, Rank::kKey});
  if (several) add_summary_columns(columns, estimates);
  return columns;
}

Table::Row compare_row(const ComparedRun& run, const ComparedRun& first) {
  Table::Row row{{"workload", run.workload},
                 {"scheduler", run.scheduler},
                 {"status", run.outcome.status()},
                 {"tb_rounds", cell(run.outcome.tb_rounds())}};
  put_figure(row, "cycles", run.outcome.figures, "cycles");
  row["cycles"] = whole_cell(metric(run, "cycles"));
  put_figure(row, "ipc_warp", run.outcome.figures, "ipc_warp");
  put_speedup(row, speedup(first.outcome, run.outcome));
  for (const std::string share : kShares)
    put_figure(row, "share_" + share, run.outcome.figures, "scheduler_share_" + share);
  const std::vector<CausePart> stalls = most_stalls(run);
  put_causes(row, kStall, kStallPart, stalls_text(stalls), stalls);
  const std::vector<CausePart> why = differences(first, run);
  put_causes(row, kWhy, kWhyPart, differences_text(why), why);
  put_price(row, run.outcome.figures);
  return row;
}

/// The speedups of the runs at `place` in the block of each workload over those at `base`.
std::vector<std::optional<Speedup>> speedups_at(const std::vector<ComparedRun>& runs,
                                                std::size_t per_workload, std::size_t base,
                                                std::size_t place) {
  std::vector<std::optional<Speedup>> speedups;
  for (std::size_t block = 0; block < runs.size(); block += per_workload)
    speedups.push_back(speedup(runs[block + base].outcome, runs[block + place].outcome));
  return speedups;
}

void add_means(const std::vector<ComparedRun>& runs, std::size_t per_workload, Table& table) {
  for (std::size_t place = 0; place < per_workload; ++place) {
    std::vector<std::optional<double>> ipcs;
    for (std::size_t block = 0; block < runs.size(); block += per_workload)
      ipcs.push_back(runs[block + place].outcome.figure_of_whole("ipc_warp"));
    Table::Row row{{"workload", "geometric mean"},
                   {"scheduler", runs[place].scheduler},
                   {"ipc_warp", cell(geometric_mean(ipcs))}};
    put_summary(row, SpeedupSummary::of(speedups_at(runs, per_workload, 0, place)));
    table.add_by_key(row);
  }
}

/// "12,345 bits and 67,890 NAND2-equivalents per SM".
std::string price_text(const RunFigures& figures) {
  if (!figures.priced) return "a price that is not known: it is built of no parts";
  return fmt::format("{} bits and {} NAND2-equivalents per SM", grouped(figures.bits_per_sm),
                     grouped(static_cast<std::uint64_t>(std::llround(figures.nand2_per_sm))));
}

/// " (1.20 to 1.31)"; "" of a ratio that is no estimate.
std::string ends_text(const Speedup& ratio) {
  return ratio.low < ratio.high ? fmt::format(" ({:.2f} to {:.2f})", ratio.low, ratio.high) : "";
}

/// How the runs of one place in the blocks compare with those of another, over all workloads.
class Standing {
 public:
  Standing(const std::vector<ComparedRun>& runs, std::size_t per_workload)
      : runs_(runs), per_workload_(per_workload) {}

  std::optional<Speedup> over(std::size_t base, std::size_t place) const {
    return mean_of(speedups_at(runs_, per_workload_, base, place));
  }
  /// Nothing when one of them is not known.
  std::optional<std::size_t> best() const {
    std::size_t best = 0;
    for (std::size_t place = 0; place < per_workload_; ++place) {
      if (!over(0, place)) return std::nullopt;
      if (over(0, place)->value > over(0, best)->value) best = place;
    }
    return best;
  }
  /// Whose intervals overlap with that of `best`: "gto (0.81 to 1.36 times as fast)".
  std::vector<std::string> rivals(std::size_t best) const {
    std::vector<std::string> rivals;
    for (std::size_t place = 0; place < per_workload_; ++place) {
      const Speedup ratio = *over(place, best);
      if (place == best || !ratio.is_open()) continue;
      rivals.push_back(
          fmt::format("{} ({:.2f} to {:.2f} times as fast)", runs_[place].scheduler, ratio.low, ratio.high));
    }
    return rivals;
  }

  /// Those but the first that are within 1% of `best`.
  std::vector<std::string> level_with(std::size_t best) const {
    std::vector<std::string> level;
    for (std::size_t place = 1; place < per_workload_; ++place) {
      if (place != best && over(place, best)->value <= 1 + kTie) level.push_back(runs_[place].scheduler);
    }
    return level;
  }

 private:
  const std::vector<ComparedRun>& runs_;
  const std::size_t per_workload_;
};

/// Why none is named that is ahead of all others.
std::string open_text(const std::string& best, const std::string& first, const Speedup& ratio,
                      const std::vector<std::string>& rivals) {
  std::string text = fmt::format(
      "{} can't be told apart from {}: the 95% confidence intervals of their cycles overlap. Runs without "
      "--sample can tell.",
      best, fmt::join(rivals, ", "));
  if (ratio.low > 1)
    text += fmt::format(" It is {:.2f} times as fast as {}{}.", ratio.value, first, ends_text(ratio));
  return text;
}

/// Who is ahead, why, and at what cost.
std::string verdict(const std::vector<ComparedRun>& runs, std::size_t per_workload) {
  const bool several = runs.size() > per_workload;
  const Standing standing(runs, per_workload);
  const auto best = standing.best();
  if (!best) return "";
  const ComparedRun& first = runs.front();
  const ComparedRun& run = runs[*best];
  const Speedup ratio = *standing.over(0, *best);
  const std::vector<std::string> rivals = standing.rivals(*best);
  if (!rivals.empty()) return open_text(run.scheduler, first.scheduler, ratio, rivals);
  if (ratio.value <= 1 + kTie) return fmt::format("None is more than 1% faster than {}.", first.scheduler);
  std::string text = fmt::format("{} is ahead: {:.2f} times as fast as {}{}{}.", run.scheduler, ratio.value,
                                 first.scheduler, several ? " in the geometric mean" : "", ends_text(ratio));
  const std::vector<CausePart> why = differences(first, run);
  if (!several && !why.empty()) {
    text += fmt::format(" Its time differs by {:+.1f}%, most of it: {}.", 100 * (1 / ratio.value - 1),
                        differences_text(why));
  }
  if (run.outcome.figures && first.outcome.figures) {
    text += fmt::format(" It costs {}; {} costs {}.", price_text(*run.outcome.figures), first.scheduler,
                        price_text(*first.outcome.figures));
  }
  if (const auto level = standing.level_with(*best); !level.empty())
    text += fmt::format(" Within 1% of {}: {}.", run.scheduler, fmt::join(level, ", "));
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
  if (checked == runs.size()) return fmt::format("The outputs of {} agree with their references.", of);
  return fmt::format(
      "The outputs of all {} runs with references agree with them; {} others have none or are not "
      "complete.",
      checked, runs.size() - checked);
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

std::vector<TableColumn> timing_columns(bool estimates) {
  std::vector<TableColumn> columns{{"workload", "workload", Kind::kText},
                                   {"scheduler", "scheduler", Kind::kText},
                                   {"status_ideal", "ideal run", Kind::kText},
                                   {"status_hardware", "hardware run", Kind::kText}};
  add_figure_column(columns, {"ipc_ideal", "IPC, ideal", Kind::kDecimal}, estimates);
  add_figure_column(columns, {"ipc_hardware", "IPC, hardware", Kind::kDecimal}, estimates);
  columns.insert(columns.end(), {{"ipc_ratio", "hardware / ideal", Kind::kDecimal},
                                 {"sorts", "sorts", Kind::kWhole},
                                 {"cycles_per_sort", "cycles per sort", Kind::kDecimal},
                                 {"sorts_waited", "sorts that waited for their sorter", Kind::kWhole},
                                 {"stale_issue_share", "issued under a stale order", Kind::kPercent},
                                 {"part_conflicts", "uses beyond the ports", Kind::kWhole},
                                 {"busiest_part", "part with the most of them", Kind::kText}});
  return columns;
}

Table::Row timing_row(const Pair& pair) {
  const OrderFigures order = order_figures(pair.hardware);
  Table::Row row{
      {"workload", pair.ideal.workload},
      {"scheduler", pair.ideal.scheduler},
      {"status_ideal", pair.ideal.outcome.status()},
      {"status_hardware", pair.hardware.outcome.status()},
      {"sorts", whole_cell(order.sorts)},
      {"cycles_per_sort", cell(quotient(order.busy_cycles, order.sorts))},
      {"sorts_waited", whole_cell(order.waited)},
      {"stale_issue_share", cell(quotient(order.stale, metric(pair.hardware, "sm.warp_instructions")))}};
  put_figure(row, "ipc_ideal", pair.ideal.outcome.figures, "ipc_warp");
  put_figure(row, "ipc_hardware", pair.hardware.outcome.figures, "ipc_warp");
  row["ipc_ratio"] = cell(quotient(metric(pair.hardware, "ipc_warp"), metric(pair.ideal, "ipc_warp")));
  std::uint64_t conflicts = 0;
  if (pair.hardware.outcome.figures) {
    const std::vector<PartConflicts>& parts = pair.hardware.outcome.figures->conflicts;
    for (const PartConflicts& part : parts) conflicts += part.conflicts;
    if (!parts.empty()) row["busiest_part"] = parts.front().part;
  }
  row["part_conflicts"] = conflicts;
  return row;
}

Table timing_table(const std::vector<ComparedRun>& runs) {
  Table table(timing_columns(has_estimates(runs)));
  for (std::size_t i = 0; i + 1 < runs.size(); i += 2) table.add_by_key(timing_row({runs[i], runs[i + 1]}));
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
  Table table(compare_columns(runs, several));
  for (std::size_t i = 0; i < runs.size(); ++i)
    table.add_by_key(compare_row(runs[i], runs[i - i % runs_per_workload]));
  if (several) add_means(runs, runs_per_workload, table);
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
