#include "top/report/stats/sampling_json.h"

#include "top/report/metrics/derived_metrics.h"
#include "top/report/metrics/energy_errors.h"
#include "top/report/stats/figure_definitions.h"
#include "top/report/stats/figure_tree.h"

namespace heddle {

namespace {

using OrderedJson = nlohmann::ordered_json;

void put_derived(FigureTree& figures, const FigureErrors& errors, const TotalView& totals) {
  for (const DerivedMetric& metric : derived_metrics()) {
    if (!concerns(metric, totals)) continue;
    if (const auto half = errors.of(metric.compute)) figures.put(metric.name, *half);
  }
}

void put_energy(FigureTree& figures, const FigureErrors& errors, const RunDescription& description,
                const StatRegistry& registry, const StatValues& values, std::uint64_t cycles) {
  if (!description.energy) return;
  for (const EstimatedEnergy& energy :
       estimated_energy(*description.energy, registry, values, cycles, errors, description.config)) {
    if (energy.half) figures.put(energy.metric.name, *energy.half);
  }
}

}  // namespace

OrderedJson sampling_json(const RunDescription& description, const RunResult& result,
                          const StatRegistry& registry) {
  const RunSampling& sampling = *result.sampling;
  OrderedJson json;
  json["sampled"] = sampling.sampled();
  json["in_full"] = sampling.in_full;
  json["simulated_cycles"] = sampling.simulated_cycles;
  json["sampled_launches"] = sampling.sampled_launches;
  json["fast_forwarded_tbs"] = sampling.fast_forwarded_tbs;
  FigureTree figures;
  if (sampling.sampled()) {
    const FigureErrors errors(registry, result.values, result.cycles, sampling.deviations,
                              description.config);
    const TotalView totals(registry, result.values);
    figures.put(stats_figures::kCycles.name, errors.of_cycles());
    put_derived(figures, errors, totals);
    put_energy(figures, errors, description, registry, result.values, result.cycles);
    for (const Metric& metric : registry.total_metrics()) {
      if (metric.is_count) figures.put(metric.scope, metric.name, errors.of_count(metric.index));
    }
  }
  json["half_intervals"] = std::move(figures).json();
  return json;
}

OrderedJson sampling_json(const LaunchSampling& sampling, const LaunchResult& launch,
                          const RunDescription& description, const StatRegistry& registry) {
  OrderedJson json;
  json["sampled"] = sampling.sampled();
  json["in_full"] = sampling.in_full;
  json["simulated_cycles"] = sampling.sampled() ? sampling.simulated_cycles : launch.cycles;
  json["fast_forwarded_tbs"] = sampling.fast_forwarded_tbs;
  json["fast_forwarded_warp_instructions"] = sampling.fast_forwarded_warp_instructions;
  json["phases"] = sampling.phases;
  json["windows"] = sampling.windows;
  FigureTree figures;
  if (sampling.sampled()) {
    const FigureErrors errors(registry, launch.values, launch.cycles, sampling.deviations,
                              description.config);
    figures.put(stats_figures::kCycles.name, errors.of_cycles());
    put_derived(figures, errors, TotalView(registry, launch.values));
    put_energy(figures, errors, description, registry, launch.values, launch.cycles);
  }
  json["half_intervals"] = std::move(figures).json();
  return json;
}

}  // namespace heddle
