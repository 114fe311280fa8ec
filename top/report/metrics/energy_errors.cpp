#include "top/report/metrics/energy_errors.h"

#include <string>
#include <utility>

namespace heddle {

std::vector<EstimatedEnergy> estimated_energy(const EnergyTable& table, const StatRegistry& registry,
                                              const StatValues& values, std::uint64_t cycles,
                                              const FigureErrors& errors, const GpuConfig& config) {
  const auto account = [&](const MetricLookup& counts, std::uint64_t core_cycles) {
    return energy_metrics(energy_of_gpu(table, counts, core_cycles, config));
  };
  std::vector<EstimatedEnergy> estimates;
  for (EnergyMetric& metric : account(all_counts(registry, values), cycles))
    estimates.push_back({std::move(metric), {}});
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    estimates[i].half = errors.of([&](const MetricInputs& inputs) -> std::optional<double> {
      const MetricLookup counts = [&](const std::string& name) -> std::optional<std::uint64_t> {
        if (!inputs.totals.has(name)) return std::nullopt;
        return inputs.totals.count(name);
      };
      return account(counts, inputs.cycles)[i].value;
    });
  }
  return estimates;
}

}  // namespace heddle
