#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "top/energy/energy_metrics.h"
#include "top/energy/energy_table.h"
#include "top/report/metrics/figure_errors.h"

namespace heddle {

/// A figure of an estimated energy, and half its 95% confidence interval: what the events were estimated by,
/// not what an event costs, which the table's ranges say.
struct EstimatedEnergy {
  EnergyMetric metric;
  std::optional<double> half;
};

/// Of a sampled run or launch, whose estimates and errors these are.
std::vector<EstimatedEnergy> estimated_energy(const EnergyTable& table, const StatRegistry& registry,
                                              const StatValues& values, std::uint64_t cycles,
                                              const FigureErrors& errors, const GpuConfig& config);

}  // namespace heddle
