#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "modules/config/gpu_config.h"
#include "top/machine/run_result.h"
#include "top/machine/stat_registry.h"
#include "top/report/metrics/derived_metrics.h"

namespace heddle {

/// How far the figures of a sampled run or launch may be off: half their 95% confidence intervals. A figure
/// is computed anew for each window's deviation (SampleDeviation); what it differs by is squared and added
/// up.
class FigureErrors {
 public:
  /// `cycles` and `values` are the estimates. `config` is kept.
  FigureErrors(const StatRegistry& registry, const StatValues& values, std::uint64_t cycles,
               const std::vector<SampleDeviation>& deviations, const GpuConfig& config);

  double of_cycles() const;
  /// Of a total that is a count, by its place among them.
  double of_count(std::size_t index) const;
  /// Of what `figure` computes; nothing when it computes nothing.
  std::optional<double> of(const std::function<std::optional<double>(const MetricInputs&)>& figure) const;

 private:
  struct Shifted {
    TotalView totals;
    std::uint64_t cycles;
  };
  const std::vector<SampleDeviation>& deviations_;
  const GpuConfig& config_;
  Shifted estimate_;
  std::vector<Shifted> shifted_;
};

}  // namespace heddle
