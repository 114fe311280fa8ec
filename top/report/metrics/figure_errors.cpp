#include "top/report/metrics/figure_errors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace heddle {

namespace {

std::uint64_t shifted(std::uint64_t value, double by) {
  return static_cast<std::uint64_t>(std::llround(std::max(static_cast<double>(value) + by, 0.0)));
}

}  // namespace

FigureErrors::FigureErrors(const StatRegistry& registry, const StatValues& values, std::uint64_t cycles,
                           const std::vector<SampleDeviation>& deviations, const GpuConfig& config)
    : deviations_(deviations), config_(config), estimate_{TotalView(registry, values), cycles} {
  const StatValues totals = registry.totals(values);
  for (const SampleDeviation& deviation : deviations) {
    std::map<std::string, std::uint64_t> counts;
    for (const Metric& metric : registry.total_metrics()) {
      if (!metric.is_count) continue;
      counts[metric.full_name()] = shifted(totals.counts[metric.index], deviation.counts[metric.index]);
    }
    shifted_.push_back({TotalView(std::move(counts)), shifted(cycles, deviation.cycles)});
  }
}

double FigureErrors::of_cycles() const {
  double squares = 0;
  for (const SampleDeviation& deviation : deviations_) squares += deviation.cycles * deviation.cycles;
  return std::sqrt(squares);
}

double FigureErrors::of_count(std::size_t index) const {
  double squares = 0;
  for (const SampleDeviation& deviation : deviations_)
    squares += deviation.counts[index] * deviation.counts[index];
  return std::sqrt(squares);
}

std::optional<double> FigureErrors::of(
    const std::function<std::optional<double>(const MetricInputs&)>& figure) const {
  const std::optional<double> estimate = figure({estimate_.totals, estimate_.cycles, config_});
  if (!estimate) return std::nullopt;
  double squares = 0;
  for (const Shifted& run : shifted_) {
    const double other = figure({run.totals, run.cycles, config_}).value_or(*estimate);
    squares += (other - *estimate) * (other - *estimate);
  }
  return std::sqrt(squares);
}

}  // namespace heddle
