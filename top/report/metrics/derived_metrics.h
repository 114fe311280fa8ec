#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "modules/config/gpu_config.h"
#include "top/machine/stat_registry.h"

namespace heddle {

/// What a derived metric is computed from: the counts of a launch or of a whole run.
struct MetricInputs {
  const TotalView& totals;
  std::uint64_t cycles;  ///< core cycles of the span
  const GpuConfig& config;
};

/// A figure computed from what blocks report; this is its only definition.
struct DerivedMetric {
  std::string name;
  std::string unit;  ///< "1" for a share or ratio
  std::string description;
  /// Nothing when it does not apply: the miss rate of no accesses.
  std::function<std::optional<double>(const MetricInputs&)> compute;
  /// A total that some block must report, else the machine has nothing of the kind: a DRAM channel's, when
  /// memories are external. "": every machine has it.
  std::string needs = {};
};

const std::vector<DerivedMetric>& derived_metrics();

/// True when the machine has what the metric is about.
inline bool concerns(const DerivedMetric& metric, const TotalView& totals) {
  return metric.needs.empty() || totals.has(metric.needs);
}
/// True when all that the metric is computed from was counted.
bool applies(const DerivedMetric& metric, const MetricInputs& inputs);

/// The value of the derived metric called `name`; throws std::out_of_range when there is none of that name.
std::optional<double> derived_metric(const std::string& name, const MetricInputs& inputs);

}  // namespace heddle
