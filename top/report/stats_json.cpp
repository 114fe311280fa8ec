#include "top/report/stats_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "base/utf8.h"
#include "top/config/config_schema.h"
#include "top/energy/energy_metrics.h"
#include "top/report/derived_metrics.h"
#include "top/report/multiprogram_metrics.h"
#include "top/support/version.h"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

Json metric_json(const std::string& name, Json value, const std::string& unit,
                 const std::string& description) {
  // Not as an initialiser list, whose elements are copied.
  Json json = Json::object();
  auto& object = json.get_ref<Json::object_t&>();
  object.reserve(4);
  object.emplace_back("name", name);
  object.emplace_back("value", std::move(value));
  object.emplace_back("unit", unit);
  object.emplace_back("description", description);
  return json;
}

Json values_json(const std::vector<Metric>& metrics, const StatValues& values) {
  Json list = Json::array();
  for (const Metric& metric : metrics) {
    Json value = metric.is_count ? Json(values.counts[metric.index]) : Json(values.levels[metric.index]);
    list.push_back(metric_json(metric.full_name(), std::move(value), metric.unit, metric.description));
  }
  return list;
}

/// Cycles, derived metrics and the totals over all blocks of a kind. `all`: the values are those of all
/// blocks; else metrics of which something was not counted are left out.
Json span_json(const RunDescription& description, const StatRegistry& registry, const StatValues& values,
               std::uint64_t cycles, bool all = true) {
  const GpuConfig& config = description.config;
  Json list = Json::array();
  list.push_back(metric_json("cycles", cycles, "cycles", "core cycles"));
  const TotalView totals(registry, values);
  for (const DerivedMetric& metric : derived_metrics()) {
    if (!concerns(metric, totals) || (!all && !applies(metric, {totals, cycles, config}))) {
      continue;
    }
    const auto value = metric.compute({totals, cycles, config});
    list.push_back(metric_json(metric.name, value ? Json(*value) : Json(), metric.unit, metric.description));
  }
  if (description.energy && all) {
    const EnergyAccount account =
        energy_of_gpu(*description.energy, all_counts(registry, values), cycles, config);
    for (const EnergyMetric& metric : energy_metrics(account)) {
      list.push_back(metric_json(metric.name, metric.value, metric.unit, metric.description));
    }
  }
  for (Json& total : values_json(registry.total_metrics(), registry.totals(values))) {
    list.push_back(std::move(total));
  }
  return list;
}

Json config_json(const GpuConfig& config) {
  Json values;
  for (const ConfigKey& key : config_schema()) {
    const ConfigValue value = key.get(config);
    if (key.kind == ConfigKey::Kind::kChoice) {
      values[key.path] = key.format(value);
    } else {
      std::visit([&values, &key](const auto& held) { values[key.path] = held; }, value);
    }
  }
  return values;
}

Json block_json(const BlockEnergy& block) {
  return {{"block", block.block},
          {"dynamic_nj", block.dynamic.nj},
          {"static_nj", block.static_.nj},
          {"low_nj", block.sum().low_nj},
          {"high_nj", block.sum().high_nj}};
}

/// Energy by block, of the GPU and of each SM by itself.
Json energy_json(const RunDescription& description, const StatRegistry& registry, const RunResult& result) {
  const EnergyTable& table = *description.energy;
  const EnergyAccount gpu =
      energy_of_gpu(table, all_counts(registry, result.values), result.cycles, description.config);
  Json json;
  json["table"] = table.name;
  json["seconds"] = gpu.seconds;
  if (!gpu.not_counted.empty()) json["not_counted"] = gpu.not_counted;
  json["blocks"] = Json::array();
  for (const BlockEnergy& block : gpu.blocks) json["blocks"].push_back(block_json(block));
  json["sms"] = Json::array();
  for (unsigned sm = 0; sm < description.config.core.sms; ++sm) {
    const EnergyAccount account =
        energy_of_sm(table, counts_of_sm(registry, result.values, sm), result.cycles, description.config);
    const Energy total = account.total();
    json["sms"].push_back({{"sm", sm},
                           {"dynamic_nj", account.dynamic().nj},
                           {"static_nj", total.nj - account.dynamic().nj},
                           {"low_nj", total.low_nj},
                           {"high_nj", total.high_nj}});
  }
  return json;
}

Json extent(const Dim3& dim) { return Json::array({dim.x, dim.y, dim.z}); }

/// Slowdown by what runs beside it; `of` names it.
void add_slowdown(Json& metrics, std::uint64_t cycles, std::uint64_t alone, const std::string& of) {
  if (alone == 0) {
    return;
  }
  metrics.push_back(metric_json("alone_cycles", alone, "cycles", "core cycles of the " + of + " alone"));
  metrics.push_back(metric_json("slowdown", static_cast<double>(cycles) / static_cast<double>(alone), "1",
                                "cycles over those alone"));
}

Json stream_json(const StreamResult& stream) {
  Json json;
  json["name"] = stream.name;
  json["complete"] = stream.complete;
  json["arrival_cycle"] = stream.arrival_cycle;
  Json metrics = Json::array();
  metrics.push_back(metric_json("cycles", stream.cycles, "cycles",
                                "core cycles from the arrival to the end of the last launch: turnaround"));
  if (stream.complete) add_slowdown(metrics, stream.cycles, stream.alone_cycles, "stream");
  json["metrics"] = std::move(metrics);
  return json;
}

/// How well the streams fare together; empty unless all are complete and known alone.
Json multiprogram_json(const std::vector<StreamResult>& streams) {
  std::vector<std::uint64_t> alone;
  std::vector<std::uint64_t> shared;
  for (const StreamResult& stream : streams) {
    if (!stream.complete || stream.alone_cycles == 0 || stream.cycles == 0) {
      return Json::array();
    }
    alone.push_back(stream.alone_cycles);
    shared.push_back(stream.cycles);
  }
  const MultiprogramMetrics metrics = multiprogram_metrics(alone, shared);
  Json json = Json::array();
  json.push_back(metric_json("stp", metrics.stp, "1", "sum of cycles alone over cycles, of all streams"));
  json.push_back(metric_json("antt", metrics.antt, "1", "mean slowdown of the streams"));
  json.push_back(metric_json("strict_f", metrics.strict_f, "1", "smallest slowdown over the largest"));
  return json;
}

double tb_rounds(const LaunchResult& launch, const GpuConfig& config) {
  const double tbs = static_cast<double>(launch.grid.x) * launch.grid.y * launch.grid.z;
  return tbs / (static_cast<double>(launch.occupancy.tbs_per_sm) * config.core.sms);
}

Json launch_json(const LaunchResult& launch, const RunDescription& description, const RunResult& result,
                 const StatRegistry& registry) {
  const bool concurrent = result.launch_registry != nullptr;
  const Occupancy& occupancy = launch.occupancy;
  Json json;
  json["id"] = launch.id;
  json["kernel"] = launch.kernel;
  if (concurrent) {
    json["stream"] = result.streams[launch.stream].name;
  }
  json["complete"] = launch.complete;
  json["grid"] = extent(launch.grid);
  json["block"] = extent(launch.block);
  json["first_cycle"] = launch.first_cycle;
  Json metrics = Json::array();
  metrics.push_back(metric_json("registers_per_thread", occupancy.demand.registers_per_thread, "registers",
                                "32-bit registers of a thread, as allocated"));
  metrics.push_back(metric_json("shared_bytes_per_tb", occupancy.demand.shared_bytes, "bytes",
                                "shared memory of a TB, as allocated"));
  metrics.push_back(
      metric_json("tbs_per_sm", occupancy.tbs_per_sm, "TBs", "TBs that an SM holds by its resources"));
  metrics.push_back(
      metric_json("occupancy", occupancy.warp_occupancy, "1", "warps of those TBs over the warp slots"));
  metrics.push_back(metric_json("tb_rounds", tb_rounds(launch, description.config), "1",
                                "TBs of the grid over the TBs that all SMs hold by their resources"));
  metrics.push_back(metric_json("occupancy_limiter", to_string(occupancy.limiter), "",
                                "the resource that allows no more TBs"));
  if (concurrent) {
    if (launch.complete) {
      metrics.push_back(metric_json("start_delay_cycles", launch.start_delay_cycles, "cycles",
                                    "core cycles from the arrival to the start of the first TB"));
      add_slowdown(metrics, launch.cycles, launch.alone_cycles, "launch");
    }
  }
  const StatRegistry& of_launch = concurrent ? *result.launch_registry : registry;
  for (Json& metric : span_json(description, of_launch, launch.values, launch.cycles, !concurrent)) {
    metrics.push_back(std::move(metric));
  }
  json["metrics"] = std::move(metrics);
  return json;
}

Json check_json(const CheckResult& check) {
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

/// Metrics, checks and lists of numbers stand on one line; everything else has a line per element.
bool on_one_line(const Json& json) {
  if (json.is_object()) {
    return json.contains("unit") || json.contains("against") || json.contains("low_nj");
  }
  return !json.is_array() || json.empty() || !json.front().is_structured();
}

bool needs_escapes(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; });
}

void print_string(const std::string& string, std::string& text) {
  if (needs_escapes(string)) {
    text += Json(as_utf8(string)).dump();
  } else {
    text.append(1, '"').append(string).append(1, '"');
  }
}

/// As json.dump(), of which a call costs more than a whole line here: a run has thousands of metrics.
void print_on_one_line(const Json& json, std::string& text) {
  if (json.is_object()) {
    char before = '{';
    for (const auto& [key, value] : json.get_ref<const Json::object_t&>()) {
      text += before;
      print_string(key, text);
      text += ':';
      print_on_one_line(value, text);
      before = ',';
    }
    text += json.empty() ? "{}" : "}";
  } else if (json.is_string()) {
    print_string(json.get_ref<const std::string&>(), text);
  } else if (json.is_number_unsigned()) {
    text += std::to_string(json.get<std::uint64_t>());
  } else {
    text += json.dump();
  }
}

void print(const Json& json, std::size_t indent, std::string& text) {
  if (on_one_line(json)) {
    print_on_one_line(json, text);
    return;
  }
  const std::string margin(indent + 2, ' ');
  text += json.is_object() ? "{" : "[";
  bool first = true;
  const auto begin_element = [&] {
    text += (first ? "\n" : ",\n") + margin;
    first = false;
  };
  if (json.is_object()) {
    for (const auto& [key, value] : json.get_ref<const Json::object_t&>()) {
      begin_element();
      print_string(key, text);
      text += ": ";
      print(value, indent + 2, text);
    }
  } else {
    for (const Json& value : json) {
      begin_element();
      print(value, indent + 2, text);
    }
  }
  text += "\n" + margin.substr(2) + (json.is_object() ? "}" : "]");
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
  Json json;
  json["format"] = kFormat;
  json["version"] = version();
  json["status"] = result.end == RunEnd::kComplete ? "complete" : "partial";
  json["end"] = to_string(result.end);
  json["reason"] = result.reason;
  json["command"] = description.command;
  json["workload"] = description.workload;
  json["size"] = description.size;
  json["parameters"] = description.parameters;
  json["scheduler"] = description.config.scheduler.name;
  json["config"] = {{"name", description.config.name}, {"values", config_json(description.config)}};
  if (!result.foreign_modules.empty()) json["foreign_modules"] = result.foreign_modules;
  json["checks"] = Json::array();
  for (const CheckResult& check : checks) {
    json["checks"].push_back(check_json(check));
  }
  json["metrics"] = span_json(description, registry, result.values, result.cycles);
  if (!result.streams.empty()) {
    json["streams"] = Json::array();
    for (const StreamResult& stream : result.streams) {
      json["streams"].push_back(stream_json(stream));
    }
    json["multiprogram"] = multiprogram_json(result.streams);
  }
  if (description.energy) json["energy"] = energy_json(description, registry, result);
  json["launches"] = Json::array();
  for (const LaunchResult& launch : result.launches) {
    json["launches"].push_back(launch_json(launch, description, result, registry));
  }
  json["instances"] = values_json(registry.metrics(), result.values);
  std::string text;
  print(json, 0, text);
  return text + "\n";
}

}  // namespace heddle
