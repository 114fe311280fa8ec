#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace heddle {

/// The form of stats.json (docs/stats.schema.json) that this version writes, and the only one that it reads.
constexpr int kStatsFormat = 2;

/// What stands first among the figures of "instances": the names of the blocks, in the order of their values.
constexpr const char* kBlockNames = "block";

/// What a figure's definition, a list, says at these places.
constexpr std::size_t kUnit = 0;
constexpr std::size_t kKind = 1;
constexpr std::size_t kDescription = 2;

/// Throws ResultsError, naming `file`, unless `stats` says that it is of this form.
void check_stats_format(const nlohmann::json& stats, const std::string& file);
void check_stats_format(const nlohmann::ordered_json& stats, const std::string& file);

/// Whether its figures are estimates (`heddle run --sample`). Throws nlohmann's exceptions.
template <class Json>
bool is_sampled(const Json& stats) {
  const auto sampling = stats.find("sampling");
  return sampling != stats.end() && sampling->at("sampled").template get<bool>();
}

/// How the run of a stats.json ended, as status_of() says it, but "sampled" of one that is complete and whose
/// figures are estimates. Throws nlohmann's exceptions.
std::string run_status(const nlohmann::json& stats);
std::string run_status(const nlohmann::ordered_json& stats);

/// What half the 95% confidence interval of an estimated figure is called, as a figure of its own.
inline std::string half_interval_name(const std::string& figure) { return "sampling.half." + figure; }

/// "sm.l1d" and "hits" of "sm.l1d.hits"; "" and the name of one that belongs to no block.
struct MetricName {
  std::string scope;
  std::string name;
  explicit MetricName(const std::string& full_name);
};

/// The figure called `full_name` in a "metrics" or the "definitions" of stats.json; nullptr when it isn't
/// there. It may be null: a share of nothing. Throws nlohmann's exceptions when `metrics` has another form.
template <class Json>
const Json* find_metric(const Json& metrics, const std::string& full_name) {
  const MetricName wanted(full_name);
  const Json* scope = &metrics;
  if (!wanted.scope.empty()) {
    const auto found = metrics.find(wanted.scope);
    if (found == metrics.end() || !found->is_object()) return nullptr;
    scope = &*found;
  }
  const auto figure = scope->find(wanted.name);
  return figure == scope->end() || figure->is_object() ? nullptr : &*figure;
}

/// Calls use(full name, value) for each figure of a "metrics" or the "definitions", in the order of
/// `metrics`.
template <class Json, class Use>
void for_each_metric(const Json& metrics, const Use& use) {
  for (const auto& [name, value] : metrics.items()) {
    if (!value.is_object()) {
      use(name, value);
      continue;
    }
    for (const auto& [own_name, own_value] : value.items()) {
      std::string full = name;
      full.append(".").append(own_name);
      use(full, own_value);
    }
  }
}

/// Calls use("sm3.l1d.hits", value) for each figure of each block in "instances".
template <class Json, class Use>
void for_each_instance(const Json& instances, const Use& use) {
  for (const auto& [kind, figures] : instances.items()) {
    const Json& blocks = figures.at(kBlockNames);
    for (const auto& [name, values] : figures.items()) {
      if (name == kBlockNames) continue;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i].is_null()) continue;  // a figure that this block does not have
        const auto block = blocks.at(i).template get<std::string>();
        use(block.empty() ? name : block + "." + name, values[i]);
      }
    }
  }
}

}  // namespace heddle
