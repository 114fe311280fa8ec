#include "top/report/summary/speedup.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle {

namespace {

/// The mean of one member of the speedups.
std::optional<double> mean_of_member(const std::vector<std::optional<Speedup>>& speedups,
                                     double Speedup::*member) {
  std::vector<std::optional<double>> values;
  values.reserve(speedups.size());
  for (const auto& speedup : speedups)
    values.push_back(speedup ? std::optional(*speedup.*member) : std::nullopt);
  return geometric_mean(values);
}

}  // namespace

std::optional<Speedup> speedup(const RunOutcome& first, const RunOutcome& run) {
  if (!first.complete() || !run.complete()) return std::nullopt;
  const double base = first.figures->value("cycles").value_or(0);
  const double cycles = run.figures->value("cycles").value_or(0);
  if (base == 0 || cycles == 0) return std::nullopt;
  if (&first == &run) return Speedup{};
  const double base_half = first.figures->half("cycles").value_or(0);
  const double half = run.figures->half("cycles").value_or(0);
  const double fewest = cycles - half;
  return Speedup{base / cycles, std::max(base - base_half, 0.0) / (cycles + half),
                 fewest > 0 ? (base + base_half) / fewest : std::numeric_limits<double>::infinity()};
}

std::optional<Speedup> mean_of(const std::vector<std::optional<Speedup>>& speedups) {
  const auto value = mean_of_member(speedups, &Speedup::value);
  if (!value) return std::nullopt;
  // A low end of 0 has no logarithm.
  return Speedup{*value, mean_of_member(speedups, &Speedup::low).value_or(0),
                 *mean_of_member(speedups, &Speedup::high)};
}

std::optional<double> geometric_mean(const std::vector<std::optional<double>>& values) {
  double sum = 0;
  for (const auto& value : values) {
    if (!value || *value <= 0) return std::nullopt;
    sum += std::log(*value);
  }
  if (values.empty()) return std::nullopt;
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace heddle
