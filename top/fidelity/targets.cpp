#include "top/fidelity/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace heddle::fidelity {

namespace {

constexpr double kPercent = 100;

struct KnownRow {
  std::string_view kernel;
  std::string_view scheduler;
};
/// Rows decided by single cycles: by where the last thread blocks go, or whether two warps are in step.
constexpr std::array kKnownRows{KnownRow{"poly", "two_level_active"}, KnownRow{"mvt", "gto"},
                                KnownRow{"mvt", "lrr"}};

double target_of(const Row& row) {
  const bool known = std::any_of(kKnownRows.begin(), kKnownRows.end(), [&row](const KnownRow& of) {
    return row.kernel == of.kernel && row.scheduler == of.scheduler;
  });
  return known ? kKnownRowTarget : kRowTarget;
}

void judge_pair(const Row& a, const Row& b, Verdict& verdict) {
  if (a.kernel != b.kernel || error_of(a.reference.cycles, b.reference.cycles) <= kRankingDifference) return;
  ++verdict.pairs;
  const bool a_is_slower = a.reference.cycles > b.reference.cycles;
  const Row& slower = a_is_slower ? a : b;
  const Row& faster = a_is_slower ? b : a;
  if (slower.ours.cycles > faster.ours.cycles) return;
  verdict.misses.push_back(
      fmt::format("{}: {} should be faster than {} ({} and {} cycles on the reference), takes {} and {}",
                  a.kernel, faster.scheduler, slower.scheduler, faster.reference.cycles,
                  slower.reference.cycles, faster.ours.cycles, slower.ours.cycles));
}

void judge_shares(const Row& row, Verdict& verdict) {
  const auto judge = [&](const char* name, double ours, double reference) {
    if (std::fabs(ours - reference) <= kShareTarget) return;
    verdict.misses.push_back(fmt::format("{} under {}: {} {:.1f}% of the cycles, {:.1f}% on the reference",
                                         row.kernel, row.scheduler, name, kPercent * ours,
                                         kPercent * reference));
  };
  judge("idle", row.ours.idle, row.reference.idle);
  judge("scoreboard", row.ours.scoreboard, row.reference.scoreboard);
  judge("pipeline", row.ours.pipeline, row.reference.pipeline);
}

}  // namespace

double error_of(double a, double b) { return std::exp(std::fabs(std::log(a / b))) - 1; }

double mean_error(const std::vector<Row>& rows) {
  double sum = 0;
  for (const Row& row : rows) sum += std::fabs(std::log(row.ratio()));
  return rows.empty() ? 0 : std::exp(sum / static_cast<double>(rows.size())) - 1;
}

Verdict judge(const std::vector<Row>& rows) {
  Verdict verdict;
  if (mean_error(rows) > kMeanTarget) {
    verdict.misses.push_back(fmt::format("geometric mean: {:.1f}% is more than {:.1f}%",
                                         kPercent * mean_error(rows), kPercent * kMeanTarget));
  }
  for (const Row& row : rows) {
    const double error = error_of(row.ours.cycles, row.reference.cycles);
    const double target = target_of(row);
    if (error > target) {
      verdict.misses.push_back(fmt::format("{} under {}: {:.1f}% is more than {:.0f}%", row.kernel,
                                           row.scheduler, kPercent * error, kPercent * target));
    }
  }
  for (const Row& row : rows) judge_shares(row, verdict);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = i + 1; j < rows.size(); ++j) judge_pair(rows[i], rows[j], verdict);
  }
  return verdict;
}

}  // namespace heddle::fidelity
