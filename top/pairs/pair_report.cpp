#include "top/pairs/pair_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace heddle {

namespace {

using Rows = std::vector<std::vector<std::string>>;

const PublishedFigures* published(const PairFigures& all, const PolicyResult& result) {
  for (const PublishedFigures& figures : all.published) {
    if (figures.policy == result.policy && figures.arrival == result.arrival.text()) return &figures;
  }
  return nullptr;
}

std::string cycles_text(std::uint64_t cycles) { return cycles == 0 ? "-" : fmt::format("{}", cycles); }

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

std::string text_or_dash(std::optional<double> value) { return value ? fmt::format("{:.0f}", *value) : "-"; }
std::string text_or_dash(std::optional<std::uint64_t> value) {
  return value ? fmt::format("{}", *value) : "-";
}

Rows mean_rows(const PairFigures& all) {
  Rows rows{
      {"policy", "arrival", "STP", "ANTT", "StrictF", "shared_pairs", "sampling_delay", "hand_off_delay"}};
  for (const PolicyResult& result : all.results) {
    const PublishedFigures* figures = published(all, result);
    const auto cell = [&](double MultiprogramMetrics::*ours, double PublishedFigures::*theirs) {
      return with_spread(beside(result.mean.*ours, figures, theirs), result, ours);
    };
    rows.push_back({result.policy, result.arrival.text(),
                    cell(&MultiprogramMetrics::stp, &PublishedFigures::stp),
                    cell(&MultiprogramMetrics::antt, &PublishedFigures::antt),
                    cell(&MultiprogramMetrics::strict_f, &PublishedFigures::strict_f),
                    text_or_dash(pairs_that_shared(result)),
                    text_or_dash(mean_delay(result, &DispatchDelays::sampling_delay_cycles)),
                    text_or_dash(mean_delay(result, &DispatchDelays::hand_off_cycles))});
  }
  return rows;
}

/// One policy against another, at the same arrival: how many times better, so that 1 is no gain. ANTT: the
/// other's over its own.
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
  Ratio ratio{&result, &other, gain(result.mean, other.mean),
              gain(published_metrics(all, result), published_metrics(all, other))};
  for (std::size_t p = 0; p < result.pairs.size(); ++p) {
    const PairResult& a = result.pairs[p];
    const PairResult& b = other.pairs[p];
    if (!a.failure.empty() || !b.failure.empty()) continue;
    ratio.fairer_pairs += a.metrics.strict_f > b.metrics.strict_f ? 1 : 0;
    ratio.as_fair_pairs += a.metrics.strict_f == b.metrics.strict_f ? 1 : 0;
  }
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

Rows ratio_rows(const std::vector<Ratio>& ratios) {
  Rows rows{{"policy", "over", "arrival", "STP", "ANTT", "StrictF", "fairer_pairs", "as_fair_pairs"}};
  for (const Ratio& ratio : ratios) {
    rows.push_back({ratio.result->policy, ratio.over->policy, ratio.result->arrival.text(),
                    ratio_text(ratio.ours.stp, ratio.theirs.stp),
                    ratio_text(ratio.ours.antt, ratio.theirs.antt),
                    ratio_text(ratio.ours.strict_f, ratio.theirs.strict_f),
                    fmt::format("{}", ratio.fairer_pairs), fmt::format("{}", ratio.as_fair_pairs)});
  }
  return rows;
}

constexpr std::array<const char*, 8> kPlaces{"first", "second", "third",   "fourth",
                                             "fifth", "sixth",  "seventh", "eighth"};

std::size_t together(const PairFigures& all) {
  for (const PolicyResult& result : all.results) {
    if (!result.pairs.empty()) return result.pairs.front().programs.size();
  }
  return 2;
}

Rows pair_rows(const PairFigures& all) {
  const std::size_t programs = together(all);
  std::vector<std::string> head{"policy", "arrival", "repetition"};
  for (std::size_t p = 0; p < programs; ++p) head.emplace_back(kPlaces[p]);
  for (std::size_t p = 0; p < programs; ++p) head.push_back(fmt::format("{}_cycles", kPlaces[p]));
  head.insert(head.end(),
              {"STP", "ANTT", "StrictF", "changes_to_sharing", "sampling_delay", "hand_off_delay"});
  Rows rows{head};
  for (const PolicyResult& result : all.results) {
    for (const PairResult& pair : result.pairs) {
      std::vector<std::string> row{result.policy, result.arrival.text(),
                                   fmt::format("{}", pair.repetition + 1)};
      for (const std::size_t program : pair.programs) row.push_back(all.names[program]);
      if (pair.failure.empty()) {
        for (const std::uint64_t cycles : pair.shared) row.push_back(fmt::format("{}", cycles));
        row.insert(
            row.end(),
            {fmt::format("{:.4f}", pair.metrics.stp), fmt::format("{:.4f}", pair.metrics.antt),
             fmt::format("{:.4f}", pair.metrics.strict_f), text_or_dash(pair.delays.changes_to_sharing),
             text_or_dash(pair.delays.sampling_delay_cycles), text_or_dash(pair.delays.hand_off_cycles)});
      }
      row.resize(head.size(), "-");
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

Rows alone_rows(const PairFigures& all) {
  Rows rows{{all.workload.empty() ? "workload" : "kernel", "alone_cycles"}};
  for (std::size_t k = 0; k < all.names.size(); ++k) {
    rows.push_back({all.names[k], cycles_text(all.alone[k])});
  }
  return rows;
}

std::string as_text(const Rows& rows, bool markdown) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < widths.size(); ++c) {
      text += markdown ? fmt::format("| {} ", rows[r][c]) : fmt::format("{:<{}}  ", rows[r][c], widths[c]);
    }
    text += markdown ? "|\n" : "\n";
    if (!markdown || r != 0) continue;
    for (std::size_t c = 0; c < widths.size(); ++c) text += "| --- ";
    text += "|\n";
  }
  return text;
}

nlohmann::ordered_json as_json(const MultiprogramMetrics& metrics) {
  return {{"stp", metrics.stp}, {"antt", metrics.antt}, {"strict_f", metrics.strict_f}};
}

}  // namespace

std::string pairs_as_table(const PairFigures& figures, bool markdown, bool detail) {
  std::string text = as_text(alone_rows(figures), markdown) + "\n";
  if (detail) text += as_text(pair_rows(figures), markdown) + "\n";
  text += as_text(mean_rows(figures), markdown);
  const std::vector<Ratio> gains = ratios(figures);
  if (!gains.empty()) text += "\n" + as_text(ratio_rows(gains), markdown);
  return text;
}

std::string pairs_as_csv(const PairFigures& figures) {
  std::string text;
  for (const auto& row : pair_rows(figures)) {
    for (std::size_t c = 0; c < row.size(); ++c) text += (c == 0 ? "" : ",") + row[c];
    text += "\n";
  }
  return text;
}

std::string pairs_as_json(const PairFigures& all) {
  nlohmann::ordered_json root;
  if (!all.workload.empty()) root["workload"] = all.workload;
  for (std::size_t k = 0; k < all.names.size(); ++k) root["alone_cycles"][all.names[k]] = all.alone[k];
  for (const PolicyResult& result : all.results) {
    nlohmann::ordered_json entry{{"policy", result.policy},
                                 {"arrival", result.arrival.text()},
                                 {"geometric_mean", as_json(result.mean)}};
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
      for (std::size_t p = 0; p < pair.programs.size(); ++p) one[kPlaces[p]] = all.names[pair.programs[p]];
      one["repetition"] = pair.repetition + 1;
      if (pair.failure.empty()) {
        one["arrival_cycles"] = pair.arrivals;
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
  return root.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace heddle
