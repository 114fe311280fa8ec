#include "top/pairs/pair_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "top/text/document.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;
using Cell = Table::Cell;

const PublishedFigures* published(const PairFigures& all, const PolicyResult& result) {
  for (const PublishedFigures& figures : all.published) {
    if (figures.policy == result.policy && figures.arrival == result.arrival.text()) return &figures;
  }
  return nullptr;
}

std::string beside(double ours, const PublishedFigures* figures, double PublishedFigures::*member) {
  if (ours == 0) return "-";
  if (figures == nullptr) return fmt::format("{:.2f}", ours);
  const std::string theirs =
      figures == nullptr || figures->*member == 0 ? "-" : fmt::format("{:.2f}", figures->*member);
  return fmt::format("{:.2f} / {}", ours, theirs);
}

struct Range {
  double low = 0;
  double high = 0;
};

/// From the least to the greatest of the repetitions' means.
Range spread(const PolicyResult& result, double MultiprogramMetrics::*member) {
  Range range;
  for (const MultiprogramMetrics& mean : result.of_repetitions) {
    const bool first = &mean == &result.of_repetitions.front();
    range.low = first ? mean.*member : std::min(range.low, mean.*member);
    range.high = first ? mean.*member : std::max(range.high, mean.*member);
  }
  return range;
}

std::string with_spread(const std::string& text, const PolicyResult& result,
                        double MultiprogramMetrics::*member) {
  if (result.of_repetitions.size() < 2) return text;
  const Range range = spread(result, member);
  return fmt::format("{} ({:.2f} to {:.2f})", text, range.low, range.high);
}

/// The mean over pairs of what the policy counted; nothing when it counts no such thing.
std::optional<double> mean_delay(const PolicyResult& result,
                                 std::optional<std::uint64_t> DispatchDelays::*delay) {
  double sum = 0;
  std::size_t pairs = 0;
  for (const PairResult& pair : result.pairs) {
    if (!(pair.delays.*delay)) continue;
    sum += static_cast<double>(*(pair.delays.*delay));
    ++pairs;
  }
  return pairs == 0 ? std::nullopt : std::optional<double>(sum / static_cast<double>(pairs));
}

/// Pairs whose kernels came to share SMs; nothing when the policy never does that by a decision.
std::optional<std::size_t> pairs_that_shared(const PolicyResult& result) {
  std::optional<std::size_t> shared;
  for (const PairResult& pair : result.pairs) {
    if (!pair.delays.changes_to_sharing) continue;
    shared = shared.value_or(0) + (*pair.delays.changes_to_sharing != 0 ? 1 : 0);
  }
  return shared;
}

/// Pairs that have figures.
std::size_t pairs_in_mean(const PolicyResult& result) {
  return static_cast<std::size_t>(std::count_if(result.pairs.begin(), result.pairs.end(),
                                                [](const PairResult& pair) { return pair.failure.empty(); }));
}

/// Whether all pairs of all policies have figures.
bool is_whole(const PairFigures& all) {
  return std::all_of(all.results.begin(), all.results.end(),
                     [](const PolicyResult& result) { return pairs_in_mean(result) == result.pairs.size(); });
}

Cell count_cell(std::optional<std::uint64_t> value) { return value ? Cell(*value) : Cell(); }

/// Where pairs have failed it says of how many the means are.
Table mean_table(const PairFigures& all) {
  const bool whole = is_whole(all);
  std::vector<TableColumn> columns{{"policy", "policy", Kind::kText, Rank::kKey},
                                   {"arrival", "arrival", Kind::kText, Rank::kKey}};
  if (!whole) columns.push_back({"pairs", "mean of pairs", Kind::kText, Rank::kKey});
  columns.insert(columns.end(), {{"stp", "STP", Kind::kText, Rank::kKey},
                                 {"antt", "ANTT", Kind::kText, Rank::kKey},
                                 {"strict_f", "StrictF", Kind::kText, Rank::kKey},
                                 {"shared_pairs", "pairs that shared SMs", Kind::kWhole},
                                 {"sampling_delay_cycles", "sampling delay, cycles", Kind::kWhole},
                                 {"hand_off_cycles", "hand-off delay, cycles", Kind::kWhole}});
  Table table(columns);
  for (const PolicyResult& result : all.results) {
    const PublishedFigures* figures = published(all, result);
    const auto text = [&](double MultiprogramMetrics::*ours, double PublishedFigures::*theirs) {
      return with_spread(beside(result.mean.*ours, figures, theirs), result, ours);
    };
    std::vector<Cell> row{result.policy, result.arrival.text()};
    if (!whole) row.emplace_back(fmt::format("{} of {}", pairs_in_mean(result), result.pairs.size()));
    row.insert(row.end(), {text(&MultiprogramMetrics::stp, &PublishedFigures::stp),
                           text(&MultiprogramMetrics::antt, &PublishedFigures::antt),
                           text(&MultiprogramMetrics::strict_f, &PublishedFigures::strict_f),
                           count_cell(pairs_that_shared(result)),
                           cell(mean_delay(result, &DispatchDelays::sampling_delay_cycles)),
                           cell(mean_delay(result, &DispatchDelays::hand_off_cycles))});
    table.add(std::move(row));
  }
  return table;
}

/// One policy against another, at the same arrival: how many times better, so that 1 is no gain, of the pairs
/// that have figures under both. ANTT: the other's over its own.
struct Ratio {
  const PolicyResult* result;
  const PolicyResult* over;
  MultiprogramMetrics ours;
  MultiprogramMetrics theirs;  ///< of published figures; a member 0: not known
  std::size_t fairer_pairs = 0;
  std::size_t as_fair_pairs = 0;
};

double over(double a, double b) { return a == 0 || b == 0 ? 0 : a / b; }

MultiprogramMetrics gain(const MultiprogramMetrics& a, const MultiprogramMetrics& b) {
  return {over(a.stp, b.stp), over(b.antt, a.antt), over(a.strict_f, b.strict_f)};
}

MultiprogramMetrics published_metrics(const PairFigures& all, const PolicyResult& result) {
  const PublishedFigures* figures = published(all, result);
  if (figures == nullptr) return {};
  return {figures->stp, figures->antt, figures->strict_f};
}

Ratio ratio(const PairFigures& all, const PolicyResult& result, const PolicyResult& other) {
  Ratio ratio{&result, &other, {}, gain(published_metrics(all, result), published_metrics(all, other))};
  std::vector<MultiprogramMetrics> of_result;
  std::vector<MultiprogramMetrics> of_other;
  for (std::size_t p = 0; p < result.pairs.size(); ++p) {
    const PairResult& a = result.pairs[p];
    const PairResult& b = other.pairs[p];
    if (!a.failure.empty() || !b.failure.empty()) continue;
    of_result.push_back(a.metrics);
    of_other.push_back(b.metrics);
    ratio.fairer_pairs += a.metrics.strict_f > b.metrics.strict_f ? 1 : 0;
    ratio.as_fair_pairs += a.metrics.strict_f == b.metrics.strict_f ? 1 : 0;
  }
  ratio.ours = gain(geometric_mean(of_result), geometric_mean(of_other));
  return ratio;
}

/// Of every policy over those that the paper compares with (SRTF 6.2.1).
std::vector<Ratio> ratios(const PairFigures& all) {
  std::vector<Ratio> found;
  for (const char* base : {"fifo", "mpmax"}) {
    for (const PolicyResult& other : all.results) {
      if (other.policy != base) continue;
      for (const PolicyResult& result : all.results) {
        if (&result == &other || result.arrival.text() != other.arrival.text()) continue;
        found.push_back(ratio(all, result, other));
      }
    }
  }
  return found;
}

std::string ratio_text(double ours, double theirs) {
  if (ours == 0) return "-";
  return theirs == 0 ? fmt::format("{:.2f}", ours) : fmt::format("{:.2f} / {:.2f}", ours, theirs);
}

Table ratio_table(const std::vector<Ratio>& ratios) {
  Table table({{"policy", "policy", Kind::kText, Rank::kKey},
               {"over", "over", Kind::kText, Rank::kKey},
               {"arrival", "arrival", Kind::kText, Rank::kKey},
               {"stp", "STP", Kind::kText, Rank::kKey},
               {"antt", "ANTT", Kind::kText, Rank::kKey},
               {"strict_f", "StrictF", Kind::kText, Rank::kKey},
               {"fairer_pairs", "fairer pairs", Kind::kWhole},
               {"as_fair_pairs", "as fair pairs", Kind::kWhole}});
  for (const Ratio& ratio : ratios) {
    table.add({ratio.result->policy, ratio.over->policy, ratio.result->arrival.text(),
               ratio_text(ratio.ours.stp, ratio.theirs.stp), ratio_text(ratio.ours.antt, ratio.theirs.antt),
               ratio_text(ratio.ours.strict_f, ratio.theirs.strict_f), ratio.fairer_pairs,
               ratio.as_fair_pairs});
  }
  return table;
}

std::size_t together(const PairFigures& all) {
  for (const PolicyResult& result : all.results) {
    if (!result.pairs.empty()) return result.pairs.front().programs.size();
  }
  return 2;
}

Table pair_table(const PairFigures& all) {
  const std::size_t programs = together(all);
  std::vector<TableColumn> columns{{"policy", "policy", Kind::kText, Rank::kKey},
                                   {"arrival", "arrival", Kind::kText, Rank::kKey},
                                   {"repetition", "repetition", Kind::kWhole, Rank::kDetail}};
  for (std::size_t p = 0; p < programs; ++p)
    columns.push_back({kPlaceNames[p], kPlaceNames[p], Kind::kText, Rank::kKey});
  for (std::size_t p = 0; p < programs; ++p) {
    columns.push_back(
        {fmt::format("{}_cycles", kPlaceNames[p]), fmt::format("{}, cycles", kPlaceNames[p]), Kind::kWhole});
  }
  for (std::size_t p = 0; p < programs; ++p) {
    columns.push_back({fmt::format("{}_alone_cycles", kPlaceNames[p]),
                       fmt::format("{} alone, cycles", kPlaceNames[p]), Kind::kWhole, Rank::kDetail});
  }
  columns.insert(columns.end(),
                 {{"stp", "STP", Kind::kDecimal, Rank::kKey},
                  {"antt", "ANTT", Kind::kDecimal, Rank::kKey},
                  {"strict_f", "StrictF", Kind::kDecimal, Rank::kKey},
                  {"changes_to_sharing", "changes to sharing", Kind::kWhole, Rank::kDetail},
                  {"sampling_delay_cycles", "sampling delay, cycles", Kind::kWhole, Rank::kDetail},
                  {"hand_off_cycles", "hand-off delay, cycles", Kind::kWhole, Rank::kDetail}});
  Table table(columns);
  for (const PolicyResult& result : all.results) {
    for (const PairResult& pair : result.pairs) {
      std::vector<Cell> row{result.policy, result.arrival.text(), pair.repetition + 1};
      for (const std::size_t program : pair.programs) row.emplace_back(all.names[program]);
      if (pair.failure.empty()) {
        for (const auto* of_each : {&pair.shared, &pair.alone})
          for (const std::uint64_t cycles : *of_each) row.emplace_back(cycles);
        row.insert(row.end(),
                   {pair.metrics.stp, pair.metrics.antt, pair.metrics.strict_f,
                    count_cell(pair.delays.changes_to_sharing), count_cell(pair.delays.sampling_delay_cycles),
                    count_cell(pair.delays.hand_off_cycles)});
      }
      row.resize(columns.size());
      table.add(std::move(row));
    }
  }
  return table;
}

/// Repetitions of timed kernels are drawn, so that each has run times alone of its own.
bool repeated(const PairFigures& all) {
  return std::any_of(all.results.begin(), all.results.end(),
                     [](const PolicyResult& result) { return result.of_repetitions.size() > 1; });
}

Table alone_table(const PairFigures& all) {
  const std::string what = all.workload.empty() ? "workload" : "kernel";
  const bool differ = !all.workload.empty() && repeated(all);
  Table table({{what, what, Kind::kText, Rank::kKey},
               {"alone_cycles", differ ? "alone in repetition 1, cycles" : "alone, cycles", Kind::kWhole,
                Rank::kKey}});
  for (std::size_t k = 0; k < all.names.size(); ++k) {
    table.add({all.names[k], all.alone[k] == 0 ? Cell() : Cell(all.alone[k])});
  }
  return table;
}

/// A figure that is not known is 0 inside.
nlohmann::ordered_json as_json(const MultiprogramMetrics& metrics) {
  const auto known = [](double value) { return value == 0 ? Cell() : Cell(value); };
  return {{"stp", known(metrics.stp)}, {"antt", known(metrics.antt)}, {"strict_f", known(metrics.strict_f)}};
}

std::string pairs_document(const PairFigures& figures, OutputFormat format, bool detail) {
  Document out(format);
  out.table(alone_table(figures));
  if (detail) out.table(pair_table(figures));
  out.table(mean_table(figures));
  const std::vector<Ratio> gains = ratios(figures);
  if (!gains.empty()) out.table(ratio_table(gains));
  return out.text();
}

std::string pairs_as_json(const PairFigures& all) {
  nlohmann::ordered_json root;
  if (!all.workload.empty()) root["workload"] = all.workload;
  for (std::size_t k = 0; k < all.names.size(); ++k)
    root["alone_cycles"][all.names[k]] = all.alone[k] == 0 ? Cell() : Cell(all.alone[k]);
  for (const PolicyResult& result : all.results) {
    nlohmann::ordered_json entry{{"policy", result.policy},
                                 {"arrival", result.arrival.text()},
                                 {"geometric_mean", as_json(result.mean)},
                                 {"pairs_in_mean", pairs_in_mean(result)}};
    if (const PublishedFigures* figures = published(all, result)) {
      entry["published"] = as_json({figures->stp, figures->antt, figures->strict_f});
    }
    if (result.of_repetitions.size() > 1) {
      for (const MultiprogramMetrics& mean : result.of_repetitions)
        entry["repetitions"].push_back(as_json(mean));
    }
    for (const PairResult& pair : result.pairs) {
      nlohmann::ordered_json one;
      if (pair.failure.empty()) one = as_json(pair.metrics);
      for (std::size_t p = 0; p < pair.programs.size(); ++p)
        one[kPlaceNames[p]] = all.names[pair.programs[p]];
      one["repetition"] = pair.repetition + 1;
      if (pair.failure.empty()) {
        one["arrival_cycles"] = pair.arrivals;
        one["alone_cycles"] = pair.alone;
        one["shared_cycles"] = pair.shared;
        const auto add = [&one](const char* name, const std::optional<std::uint64_t>& value) {
          if (value) one[name] = *value;
        };
        add("changes_to_sharing", pair.delays.changes_to_sharing);
        add("sampling_delay_cycles", pair.delays.sampling_delay_cycles);
        add("hand_off_cycles", pair.delays.hand_off_cycles);
      } else {
        one["failure"] = pair.failure;
      }
      entry["pairs"].push_back(one);
    }
    root["results"].push_back(entry);
  }
  for (const Ratio& ratio : ratios(all)) {
    nlohmann::ordered_json entry{{"policy", ratio.result->policy},
                                 {"over", ratio.over->policy},
                                 {"arrival", ratio.result->arrival.text()},
                                 {"improvement", as_json(ratio.ours)}};
    if (published(all, *ratio.result) != nullptr && published(all, *ratio.over) != nullptr)
      entry["published"] = as_json(ratio.theirs);
    entry["fairer_pairs"] = ratio.fairer_pairs;
    entry["as_fair_pairs"] = ratio.as_fair_pairs;
    root["ratios"].push_back(entry);
  }
  return print_json(root);
}

}  // namespace

std::string pairs_report(const PairFigures& figures, OutputFormat format, bool detail) {
  switch (format) {
    case OutputFormat::kCsv:
      return pair_table(figures).csv();
    case OutputFormat::kJson:
      return pairs_as_json(figures);
    default:
      return pairs_document(figures, format, detail);
  }
}

}  // namespace heddle
