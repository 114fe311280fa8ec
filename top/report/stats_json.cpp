#include "top/report/stats_json.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "top/config/config_values.h"
#include "top/energy/energy_metrics.h"
#include "top/report/derived_metrics.h"
#include "top/report/multiprogram_metrics.h"
#include "top/support/stats_file.h"
#include "top/support/version.h"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

/// What a figure is, besides its unit: a count adds up over blocks and launches; a level is the largest of
/// the blocks, as it stood at the end; what is derived is computed of others, and null where it does not
/// apply; what is given was known before the run.
struct Definition {
  const char* name;
  const char* unit;
  const char* kind;
  const char* description;
};

constexpr const char* kCount = "count";
constexpr const char* kLevel = "level";
constexpr const char* kDerived = "derived";
constexpr const char* kGiven = "given";

constexpr Definition kCycles{"cycles", "cycles", kCount,
                             "core cycles; of a stream, from its arrival to the end of its last launch"};

constexpr std::array kOfLaunch{
    Definition{"registers_per_thread", "registers", kGiven, "32-bit registers of a thread, as allocated"},
    Definition{"shared_bytes_per_tb", "bytes", kGiven, "shared memory of a TB, as allocated"},
    Definition{"tbs_per_sm", "TBs", kGiven, "TBs that an SM holds by its resources"},
    Definition{"occupancy", "1", kGiven, "warps of those TBs over the warp slots"},
    Definition{"tb_rounds", "1", kGiven, "TBs of the grid over the TBs that all SMs hold by their resources"},
    Definition{"occupancy_limiter", "", kGiven, "the resource that allows no more TBs"}};

/// Of runs with several streams.
constexpr std::array kOfStreams{
    Definition{"start_delay_cycles", "cycles", kLevel,
               "core cycles from the arrival to the start of the first TB"},
    Definition{"alone_cycles", "cycles", kGiven, "core cycles of the stream or launch alone"},
    Definition{"slowdown", "1", kDerived, "cycles over those alone"},
    Definition{"stp", "1", kDerived, "sum of cycles alone over cycles, of all streams"},
    Definition{"antt", "1", kDerived, "mean slowdown of the streams"},
    Definition{"strict_f", "1", kDerived, "smallest slowdown over the largest"}};

/// Figures by name; those of blocks by scope and name.
class FigureTree {
 public:
  void put(const std::string& name, Json value) { members().emplace_back(name, std::move(value)); }
  /// Consecutive figures of a scope are found at once.
  void put(const std::string& scope, const std::string& name, Json value) {
    if (scope.empty()) return put(name, std::move(value));
    if (place_ >= members().size() || members()[place_].first != scope) place_ = place_of(scope);
    members()[place_].second.get_ref<Json::object_t&>().emplace_back(name, std::move(value));
  }
  Json json() && { return std::move(tree_); }

 private:
  /// As a list, in which emplace_back() does not look for the key.
  std::vector<std::pair<const std::string, Json>>& members() { return tree_.get_ref<Json::object_t&>(); }
  std::size_t place_of(const std::string& scope) {
    auto& all = members();
    const auto found =
        std::find_if(all.begin(), all.end(), [&scope](const auto& m) { return m.first == scope; });
    const auto place = static_cast<std::size_t>(found - all.begin());
    if (found == all.end()) all.emplace_back(scope, Json::object());
    return place;
  }

  Json tree_ = Json::object();
  std::size_t place_ = 0;
};

Json value_of(const Metric& metric, const StatValues& values) {
  return metric.is_count ? Json(values.counts[metric.index]) : Json(values.levels[metric.index]);
}

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
    figures.put(metric.name, value ? Json(*value) : Json());
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

/// [unit, kind, description] of every figure that this file may have, once.
class Definitions {
 public:
  void add(const Definition& figure) { add("", figure.name, figure.unit, figure.kind, figure.description); }
  template <std::size_t kSize>
  void add(const std::array<Definition, kSize>& figures) {
    for (const Definition& figure : figures) add(figure);
  }
  void add(const std::vector<Metric>& totals) {
    for (const Metric& metric : totals) {
      add(metric.scope, metric.name, metric.unit, metric.is_count ? kCount : kLevel, metric.description);
    }
  }
  void add_derived(const std::string& name, const std::string& unit, const std::string& description) {
    add("", name, unit, kDerived, description);
  }
  Json json() && { return std::move(figures_).json(); }

 private:
  void add(const std::string& scope, const std::string& name, const std::string& unit, const char* kind,
           const std::string& description) {
    if (known_.insert(scope + "." + name).second) {
      figures_.put(scope, name, Json::array({unit, kind, description}));
    }
  }
  FigureTree figures_;
  std::set<std::string> known_;
};

Json definitions_json(const RunDescription& description, const RunResult& result,
                      const StatRegistry& registry) {
  Definitions definitions;
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
  definitions.add(kOfLaunch);
  if (!result.streams.empty()) definitions.add(kOfStreams);
  definitions.add(registry.total_metrics());
  if (result.launch_registry) definitions.add(result.launch_registry->total_metrics());
  return std::move(definitions).json();
}

/// The figures of the blocks of a kind as columns: names of the blocks, then a list of values by figure, in
/// which null stands for a block that has no such figure.
struct KindOfBlock {
  std::string name;
  std::vector<std::string> blocks;
  std::vector<std::pair<std::string, Json::array_t>> columns;

  /// The column called `wanted`; `guess` is where it stands if all blocks report the same figures in the same
  /// order.
  Json::array_t& column(const std::string& wanted, std::size_t guess) {
    if (guess < columns.size() && columns[guess].first == wanted) return columns[guess].second;
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&wanted](const auto& column) { return column.first == wanted; });
    if (found != columns.end()) return found->second;
    return columns.emplace_back(wanted, Json::array_t()).second;
  }
};

/// What the blocks report, by their kinds.
std::vector<KindOfBlock> kinds_of_blocks(const StatRegistry& registry, const StatValues& values) {
  struct Place {
    std::size_t kind;
    std::size_t block;
    std::size_t figures;  ///< that the block has reported
  };
  std::vector<KindOfBlock> kinds;
  std::map<std::string, std::size_t> kind_of_name;
  std::map<std::string, Place> places;  ///< by scope
  auto at = places.end();
  for (const Metric& metric : registry.metrics()) {
    if (at == places.end() || at->first != metric.scope) at = places.find(metric.scope);
    if (at == places.end()) {
      const auto [kind, is_new] = kind_of_name.emplace(kind_of_scope(metric.scope), kinds.size());
      if (is_new) kinds.push_back({kind->first, {}, {}});
      at = places.emplace(metric.scope, Place{kind->second, kinds[kind->second].blocks.size(), 0}).first;
      kinds[kind->second].blocks.push_back(metric.scope);
    }
    Place& place = at->second;
    Json::array_t& column = kinds[place.kind].column(metric.name, place.figures++);
    if (column.size() <= place.block) column.resize(place.block + 1);
    column[place.block] = value_of(metric, values);
  }
  return kinds;
}

Json instances_json(const StatRegistry& registry, const StatValues& values) {
  Json json = Json::object();
  for (KindOfBlock& kind : kinds_of_blocks(registry, values)) {
    Json figures = Json::object();
    auto& members = figures.get_ref<Json::object_t&>();
    members.emplace_back(kBlockNames, kind.blocks);
    for (auto& [name, column] : kind.columns) {
      column.resize(kind.blocks.size());
      members.emplace_back(name, std::move(column));
    }
    json[kind.name] = std::move(figures);
  }
  return json;
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

/// Slowdown by what runs beside it.
void put_slowdown(FigureTree& figures, std::uint64_t cycles, std::uint64_t alone) {
  if (alone == 0) {
    return;
  }
  figures.put("alone_cycles", alone);
  figures.put("slowdown", static_cast<double>(cycles) / static_cast<double>(alone));
}

Json stream_json(const StreamResult& stream) {
  Json json;
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
Json multiprogram_json(const std::vector<StreamResult>& streams) {
  std::vector<std::uint64_t> alone;
  std::vector<std::uint64_t> shared;
  for (const StreamResult& stream : streams) {
    if (!stream.complete || stream.alone_cycles == 0 || stream.cycles == 0) {
      return Json::object();
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

/// What is in these stands on one line: the figures of a kind of block, a check, the energy of a block or an
/// SM.
bool has_one_line_elements(const std::string& key) {
  return key == "metrics" || key == "checks" || key == "blocks" || key == "sms";
}

bool is_list_of_values(const Json& json) {
  return json.empty() || (json.is_array() && !json.front().is_structured());
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

/// As json.dump(), of which a call costs more than a whole line here: a run has thousands of figures.
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

void print(const Json& json, std::size_t indent, bool elements_on_one_line, std::string& text) {
  if (!json.is_structured() || is_list_of_values(json)) {
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
  const auto print_element = [&](const Json& element, bool its_elements_on_one_line) {
    if (elements_on_one_line) {
      print_on_one_line(element, text);
    } else {
      print(element, indent + 2, its_elements_on_one_line, text);
    }
  };
  if (json.is_object()) {
    for (const auto& [key, value] : json.get_ref<const Json::object_t&>()) {
      begin_element();
      print_string(key, text);
      text += ": ";
      print_element(value, has_one_line_elements(key));
    }
  } else {
    for (const Json& value : json) {
      begin_element();
      print_element(value, false);
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
  json["checks"] = Json::array();
  for (const CheckResult& check : checks) {
    json["checks"].push_back(check_json(check));
  }
  FigureTree figures;
  put_span(figures, description, registry, result.values, result.cycles);
  json["metrics"] = std::move(figures).json();
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
  json["instances"] = instances_json(registry, result.values);
  json["definitions"] = definitions_json(description, result, registry);
  std::string text;
  print(json, 0, false, text);
  return text + "\n";
}

}  // namespace heddle
