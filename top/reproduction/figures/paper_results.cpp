#include "top/reproduction/figures/paper_results.h"

#include <fmt/format.h>

#include <cmath>

namespace heddle {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson json_of(const RanExperiment& summary) {
  return {{"points", summary.points},
          {"complete", summary.complete},
          {"failed", summary.failed},
          {"cpu_seconds", static_cast<std::int64_t>(std::llround(summary.cpu_seconds))},
          {"longest_seconds", static_cast<std::int64_t>(std::llround(summary.longest_seconds))}};
}

std::size_t count_of(const OrderedJson& value) {
  if (!value.is_number_unsigned()) {
    throw OrderedJson::type_error::create(
        302, fmt::format("found {}, expected how many points", value.dump()), &value);
  }
  return value.get<std::size_t>();
}

/// A map of maps by size; OrderedJson::items() takes anything.
const OrderedJson& map_of(const OrderedJson& json, const std::string& key) {
  const OrderedJson& map = json.at(key);
  if (!map.is_object()) throw OrderedJson::type_error::create(302, key + ": expected a map", &map);
  for (const auto& [name, sizes] : map.items()) {
    if (!sizes.is_object())
      throw OrderedJson::type_error::create(302, name + ": expected a map by size", &sizes);
  }
  return map;
}

RanExperiment summary_of(const OrderedJson& json) {
  return {count_of(json.at("points")), count_of(json.at("complete")),
          json.at("failed").get<std::vector<std::string>>(), json.at("cpu_seconds").get<double>(),
          json.at("longest_seconds").get<double>()};
}

}  // namespace

const FigureTable* PaperResults::table(const std::string& figure, const std::string& size) const {
  const auto found = figures.find(figure);
  if (found == figures.end()) return nullptr;
  const auto sized = found->second.find(size);
  return sized == found->second.end() ? nullptr : &sized->second;
}

const FigureTable* PaperResults::table(const std::string& figure) const {
  const std::string size = size_of(figure);
  return size.empty() ? nullptr : table(figure, size);
}

std::string PaperResults::size_of(const std::string& figure) const {
  const FigureTable* const full = table(figure, kFullSize);
  const bool has_quick = table(figure, kQuickSize) != nullptr;
  if (full == nullptr) return has_quick ? kQuickSize : "";
  const bool has_half = 2 * full->filled() >= full->size();
  return has_half || !has_quick ? kFullSize : kQuickSize;
}

OrderedJson PaperResults::json() const {
  OrderedJson json;
  OrderedJson& experiment_map = json["experiments"] = OrderedJson::object();
  for (const auto& [experiment, sizes] : experiments) {
    for (const auto& [size, summary] : sizes) experiment_map[experiment][size] = json_of(summary);
  }
  OrderedJson& figure_map = json["figures"] = OrderedJson::object();
  for (const auto& [figure, sizes] : figures) {
    for (const auto& [size, table] : sizes) figure_map[figure][size] = table.json();
  }
  return json;
}

PaperResults PaperResults::of(const OrderedJson& json) {
  PaperResults results;
  for (const auto& [experiment, sizes] : map_of(json, "experiments").items()) {
    for (const auto& [size, summary] : sizes.items())
      results.experiments[experiment][size] = summary_of(summary);
  }
  for (const auto& [figure, sizes] : map_of(json, "figures").items()) {
    for (const auto& [size, table] : sizes.items()) results.figures[figure][size] = FigureTable::of(table);
  }
  return results;
}

}  // namespace heddle
