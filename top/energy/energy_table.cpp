#include "top/energy/energy_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/nearest_name.h"
#include "top/config/config_error.h"
#include "top/support/project_files.h"
#include "workloads/description/yaml_file.h"

namespace heddle {

namespace {

class TableReader {
 public:
  explicit TableReader(std::string path) : path_(std::move(path)) {}

  EnergyTable read() const {
    EnergyTable table;
    table.name = std::filesystem::path(path_).stem().string();
    YAML::Node root;
    try {
      root = read_yaml_file(path_);
    } catch (const YamlError& error) {
      throw ConfigError(error.what());
    }
    check_keys(root, "energy table", {"description", "events", "power"});
    table.description = text(root, "description");
    for (const YAML::Node& node : list(root, "events")) table.events.push_back(event(node));
    for (const YAML::Node& node : list(root, "power")) table.power.push_back(power(node));
    return table;
  }

 private:
  using Names = std::vector<std::string>;

  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const {
    const YAML::Mark mark = node.Mark();
    throw ConfigError(fmt::format("{}:{}:{}: {}", path_, mark.line + 1, mark.column + 1, message));
  }
  void check_keys(const YAML::Node& node, const std::string& what, const Names& keys) const {
    if (!node.IsMap()) fail(node, fmt::format("{}: expected the keys {}", what, fmt::join(keys, ", ")));
    for (const auto& entry : node) {
      const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "";
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
        fail(entry.first, fmt::format("{}: unknown key '{}', expected one of {}{}", what, key,
                                      fmt::join(keys, ", "), did_you_mean(key, {keys.begin(), keys.end()})));
      }
    }
  }
  std::string text(const YAML::Node& node, const char* key) const {
    if (!node[key] || !node[key].IsScalar() || node[key].Scalar().empty()) {
      fail(node, fmt::format("expected a text for the key {}", key));
    }
    return node[key].Scalar();
  }
  std::vector<YAML::Node> list(const YAML::Node& node, const char* key) const {
    if (!node[key] || !node[key].IsSequence()) fail(node, fmt::format("expected a list for the key {}", key));
    return {node[key].begin(), node[key].end()};
  }
  double number(const YAML::Node& node, const std::string& what) const {
    double value = NAN;
    if (node.IsScalar() && YAML::convert<double>::decode(node, value) && std::isfinite(value) && value >= 0) {
      return value;
    }
    fail(node, fmt::format("{}: found '{}', expected a number from 0", what,
                           node.IsScalar() ? node.Scalar() : "no number"));
  }
  EnergyFigure figure(const YAML::Node& node, const char* unit) const {
    for (const char* key : {unit, "low", "high"}) {
      if (!node[key]) fail(node, fmt::format("expected the key {}", key));
    }
    EnergyFigure found;
    found.value = number(node[unit], unit);
    found.low = number(node["low"], "low");
    found.high = number(node["high"], "high");
    found.source = text(node, "source");
    if (found.low > found.value || found.value > found.high) {
      fail(node, fmt::format("found {} outside of its range, {} to {}", found.value, found.low, found.high));
    }
    return found;
  }

  EnergyEvent event(const YAML::Node& node) const {
    check_keys(node, "event", {"name", "block", "counts", "lanes", "nj", "low", "high", "source"});
    EnergyEvent found;
    found.name = text(node, "name");
    found.block = text(node, "block");
    for (const YAML::Node& entry : list(node, "counts")) found.counts.push_back(count(entry));
    if (node["lanes"]) found.lanes = lanes(node["lanes"]);
    found.nj = figure(node, "nj");
    return found;
  }
  EnergyEvent::Count count(const YAML::Node& node) const {
    if (node.IsScalar()) return {node.Scalar(), 1};
    if (!node.IsMap() || node.size() != 1) fail(node, "counts: expected METRIC or {METRIC: FACTOR}");
    const auto entry = *node.begin();
    if (!entry.first.IsScalar()) fail(node, "counts: expected METRIC or {METRIC: FACTOR}");
    return {entry.first.Scalar(), number(entry.second, entry.first.Scalar())};
  }
  EnergyLanes lanes(const YAML::Node& node) const {
    static const std::array<std::pair<const char*, EnergyLanes>, 4> kKinds{{{"all", EnergyLanes::kAll},
                                                                            {"sp", EnergyLanes::kSp},
                                                                            {"sfu", EnergyLanes::kSfu},
                                                                            {"ldst", EnergyLanes::kLdst}}};
    for (const auto& [name, kind] : kKinds) {
      if (node.IsScalar() && node.Scalar() == name) return kind;
    }
    fail(node, "lanes: expected all, sp, sfu or ldst");
  }
  StaticPower power(const YAML::Node& node) const {
    check_keys(node, "power", {"name", "block", "of", "watts", "low", "high", "source"});
    StaticPower found;
    found.name = text(node, "name");
    found.block = text(node, "block");
    const std::string of = text(node, "of");
    if (of != "sm" && of != "gpu") fail(node["of"], fmt::format("of: found '{}', expected sm or gpu", of));
    found.of_each_sm = of == "sm";
    found.watts = figure(node, "watts");
    return found;
  }

  std::string path_;
};

}  // namespace

EnergyTable load_energy_table(const std::string& path) { return TableReader(path).read(); }

std::optional<EnergyTable> choose_energy_table(const std::string& choice) {
  constexpr const char* kDefault = "gf100";
  const ProjectFiles files;
  if (!choice.empty()) return load_energy_table(files.energy_table(choice));
  const std::vector<std::string> names = files.energy_table_names();
  if (std::find(names.begin(), names.end(), kDefault) == names.end()) return std::nullopt;
  return load_energy_table(files.energy_table(kDefault));
}

}  // namespace heddle
