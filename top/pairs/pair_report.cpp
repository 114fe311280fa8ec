#include "top/pairs/pair_report.h"

#include <fmt/format.h>

#include <algorithm>
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

Rows mean_rows(const PairFigures& all) {
  Rows rows{{"policy", "arrival", "STP", "ANTT", "StrictF"}};
  for (const PolicyResult& result : all.results) {
    const PublishedFigures* figures = published(all, result);
    rows.push_back({result.policy, result.arrival.text(),
                    beside(result.mean.stp, figures, &PublishedFigures::stp),
                    beside(result.mean.antt, figures, &PublishedFigures::antt),
                    beside(result.mean.strict_f, figures, &PublishedFigures::strict_f)});
  }
  return rows;
}

Rows pair_rows(const PairFigures& all) {
  Rows rows{
      {"policy", "arrival", "first", "second", "first_cycles", "second_cycles", "STP", "ANTT", "StrictF"}};
  for (const PolicyResult& result : all.results) {
    for (const PairResult& pair : result.pairs) {
      std::vector<std::string> row{result.policy, result.arrival.text(), all.names[pair.first],
                                   all.names[pair.second]};
      if (pair.failure.empty()) {
        row.insert(row.end(),
                   {fmt::format("{}", pair.shared[0]), fmt::format("{}", pair.shared[1]),
                    fmt::format("{:.4f}", pair.metrics.stp), fmt::format("{:.4f}", pair.metrics.antt),
                    fmt::format("{:.4f}", pair.metrics.strict_f)});
      }
      row.resize(rows.front().size(), "-");
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
  return text + as_text(mean_rows(figures), markdown);
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
    for (const PairResult& pair : result.pairs) {
      nlohmann::ordered_json one;
      if (pair.failure.empty()) one = as_json(pair.metrics);
      one["first"] = all.names[pair.first];
      one["second"] = all.names[pair.second];
      if (pair.failure.empty()) {
        one["shared_cycles"] = pair.shared;
      } else {
        one["failure"] = pair.failure;
      }
      entry["pairs"].push_back(one);
    }
    root["results"].push_back(entry);
  }
  return root.dump(2) + "\n";
}

}  // namespace heddle
