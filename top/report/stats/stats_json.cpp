#include "top/report/stats/stats_json.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "top/config/config_values.h"
#include "top/energy/energy_metrics.h"
#include "top/report/metrics/derived_metrics.h"
#include "top/report/metrics/multiprogram_metrics.h"
#include "top/report/stats/block_figures.h"
#include "top/report/stats/energy_json.h"
#include "top/report/stats/figure_definitions.h"
#include "top/report/stats/figure_tree.h"
#include "top/report/stats/json_lines.h"
#include "top/report/stats/sampling_json.h"
#include "top/support/stats_file.h"
#include "top/support/version.h"

namespace heddle {

namespace {

using OrderedJson = nlohmann::ordered_json;
using stats_figures::kCycles;

/// Puts the cycles, derived metrics and the totals over all blocks of a kind. `all`: the values are those of
/// all blocks; else metrics of which something was not counted are left out.
void put_span(FigureTree& figures, const RunDescription& description, const StatRegistry& registry,
              const StatValues& values, std::uint64_t cycles, bool all = true) {
  const GpuConfig& config = description.config;
  figures.put(kCycles.name, cycles);
  const TotalView totals(registry, values);
  for (const DerivedMetric& metric : derived_metrics()) {
    if (!concerns(metric, totals) || (!all && !applies(metric, {totals, cycles, config}))) {
      continue;
    }
    const auto value = metric.compute({totals, cycles, config});
    figures.put(metric.name, value ? OrderedJson(*value) : OrderedJson());
  }
  if (description.energy && all) {
    const EnergyAccount account =
        energy_of_gpu(*description.energy, all_counts(registry, values), cycles, config);
    for (const EnergyMetric& metric : energy_metrics(account)) figures.put(metric.name, metric.value);
  }
  const StatValues sums = registry.totals(values);
  for (const Metric& metric : registry.total_metrics()) {
    figures.put(metric.scope, metric.name, value_of(metric, sums));
  }
}

OrderedJson definitions_json(const RunDescription& description, const RunResult& result,
                             const StatRegistry& registry) {
  StatsDefinitions definitions;
  definitions.add(kCycles);
  const TotalView totals(registry, result.values);
  for (const DerivedMetric& metric : derived_metrics()) {
    if (concerns(metric, totals)) definitions.add_derived(metric.name, metric.unit, metric.description);
  }
  if (description.energy) {
    const EnergyAccount account = energy_of_gpu(*description.energy, all_counts(registry, result.values),
                                                result.cycles, description.config);
    for (const EnergyMetric& metric : energy_metrics(account)) {
      definitions.add_derived(metric.name, metric.unit, metric.description);
    }
  }
  definitions.add(stats_figures::kOfLaunch);
  if (!result.streams.empty()) definitions.add(stats_figures::kOfStreams);
  definitions.add(registry.total_metrics());
  if (result.launch_registry) definitions.add(result.launch_registry->total_metrics());
  return std::move(definitions).json();
}

OrderedJson extent(const Dim3& dim) { return OrderedJson::array({dim.x, dim.y, dim.z}); }

/// Slowdown by what runs beside it.
void put_slowdown(FigureTree& figures, std::uint64_t cycles, std::uint64_t alone) {
  if (alone == 0) {
    return;
  }
  figures.put("alone_cycles", alone);
  figures.put("slowdown", static_cast<double>(cycles) / static_cast<double>(alone));
}

OrderedJson stream_json(const StreamResult& stream) {
  OrderedJson json;
  json["name"] = stream.name;
  json["complete"] = stream.complete;
  json["arrival_cycle"] = stream.arrival_cycle;
  FigureTree figures;
  figures.put(kCycles.name, stream.cycles);
  if (stream.complete) put_slowdown(figures, stream.cycles, stream.alone_cycles);
  json["metrics"] = std::move(figures).json();
  return json;
}

/// How well the streams fare together; empty unless all are complete and known alone.
OrderedJson multiprogram_json(const std::vector<StreamResult>& streams) {
  std::vector<std::uint64_t> alone;
  std::vector<std::uint64_t> shared;
  for (const StreamResult& stream : streams) {
    if (!stream.complete || stream.alone_cycles == 0 || stream.cycles == 0) {
      return OrderedJson::object();
    }
    alone.push_back(stream.alone_cycles);
    shared.push_back(stream.cycles);
  }
  const MultiprogramMetrics metrics = multiprogram_metrics(alone, shared);
  return {{"stp", metrics.stp}, {"antt", metrics.antt}, {"strict_f", metrics.strict_f}};
}

double tb_rounds(const LaunchResult& launch, const GpuConfig& config) {
  const double tbs = static_cast<double>(launch.grid.x) * launch.grid.y * launch.grid.z;
  return tbs / (static_cast<double>(launch.occupancy.tbs_per_sm) * config.core.sms);
}

OrderedJson launch_json(const LaunchResult& launch, const RunDescription& description,
                        const RunResult& result, const StatRegistry& registry) {
  const bool concurrent = result.launch_registry != nullptr;
  const Occupancy& occupancy = launch.occupancy;
  OrderedJson json;
  json["id"] = launch.id;
  json["kernel"] = launch.kernel;
  if (concurrent) {
    json["stream"] = result.streams[launch.stream].name;
  }
  json["complete"] = launch.complete;
  json["grid"] = extent(launch.grid);
  json["block"] = extent(launch.block);
  json["first_cycle"] = launch.first_cycle;
  FigureTree figures;
  figures.put("registers_per_thread", occupancy.demand.registers_per_thread);
  figures.put("shared_bytes_per_tb", occupancy.demand.shared_bytes);
  figures.put("tbs_per_sm", occupancy.tbs_per_sm);
  figures.put("occupancy", occupancy.warp_occupancy);
  figures.put("tb_rounds", tb_rounds(launch, description.config));
  figures.put("occupancy_limiter", to_string(occupancy.limiter));
  if (concurrent && launch.complete) {
    figures.put("start_delay_cycles", launch.start_delay_cycles);
    put_slowdown(figures, launch.cycles, launch.alone_cycles);
  }
  const StatRegistry& of_launch = concurrent ? *result.launch_registry : registry;
  put_span(figures, description, of_launch, launch.values, launch.cycles, !concurrent);
  json["metrics"] = std::move(figures).json();
  if (launch.sampling) json["sampling"] = sampling_json(*launch.sampling, launch, description, registry);
  return json;
}

OrderedJson check_json(const CheckResult& check) {
  return {{"buffer", check.buffer},
          {"against", check.against},
          {"passed", check.passed},
          {"elements", check.elements},
          {"mismatches", check.mismatches},
          {"worst_index", check.worst_index},
          {"got", check.got},
          {"expected", check.expected},
          {"absolute_tolerance", check.absolute},
          {"relative_tolerance", check.relative}};
}

}  // namespace

std::vector<std::string> metric_names(const RunDescription& description, const StatRegistry& registry,
                                      const StatValues& values) {
  std::vector<std::string> names{"cycles"};
  const TotalView totals(registry, values);
  for (const DerivedMetric& metric : derived_metrics()) {
    if (concerns(metric, totals)) names.push_back(metric.name);
  }
  if (description.energy) {
    const EnergyAccount account =
        energy_of_gpu(*description.energy, all_counts(registry, values), 0, description.config);
    for (const EnergyMetric& metric : energy_metrics(account)) names.push_back(metric.name);
  }
  for (const Metric& total : registry.total_metrics()) names.push_back(total.full_name());
  return names;
}

std::string stats_json(const RunDescription& description, const RunResult& result,
                       const StatRegistry& registry, const std::vector<CheckResult>& checks) {
  OrderedJson json;
  json["format"] = kStatsFormat;
  json["version"] = version();
  json["status"] = result.end == RunEnd::kComplete ? "complete" : "partial";
  json["end"] = to_string(result.end);
  json["reason"] = result.reason;
  json["command"] = description.command;
  json["workload"] = description.workload;
  json["size"] = description.size;
  json["parameters"] = description.parameters;
  json["scheduler"] = description.config.scheduler.name;
  json["config"] = {{"name", description.config.name}, {"values", config_values(description.config)}};
  if (!result.foreign_modules.empty()) json["foreign_modules"] = result.foreign_modules;
  if (result.sampling) json["sampling"] = sampling_json(description, result, registry);
  json["checks"] = OrderedJson::array();
  for (const CheckResult& check : checks) {
    json["checks"].push_back(check_json(check));
  }
  FigureTree figures;
  put_span(figures, description, registry, result.values, result.cycles);
  json["metrics"] = std::move(figures).json();
  if (!result.streams.empty()) {
    json["streams"] = OrderedJson::array();
    for (const StreamResult& stream : result.streams) {
      json["streams"].push_back(stream_json(stream));
    }
    json["multiprogram"] = multiprogram_json(result.streams);
  }
  if (description.energy)
    json["energy"] = energy_json(*description.energy, description.config, registry, result);
  json["launches"] = OrderedJson::array();
  for (const LaunchResult& launch : result.launches) {
    json["launches"].push_back(launch_json(launch, description, result, registry));
  }
  json["instances"] = instances_json(registry, result.values);
  json["definitions"] = definitions_json(description, result, registry);
  return in_lines(json);
}

}  // namespace heddle
