#include "top/config/technology_file.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "base/nearest_name.h"
#include "top/config/config_error.h"
#include "workloads/description/yaml_file.h"

namespace heddle {
namespace {

struct FigureKey {
  const char* name;
  std::optional<hw::Figure> hw::Technology::*member;
  const char* effect;  ///< what is not computed without it
};

constexpr std::array<FigureKey, 6> kFigures{{
    {"nand2_area_um2", &hw::Technology::nand2_area_um2, "area"},
    {"sram_bit_area_um2", &hw::Technology::sram_bit_area_um2, "area of parts that are RAM"},
    {"fo4_ps", &hw::Technology::fo4_ps, "delay in ps"},
    {"nand2_switch_energy_fj", &hw::Technology::nand2_switch_energy_fj, "energy"},
    {"switching_fraction", &hw::Technology::switching_fraction, "energy"},
    {"sram_bit_access_energy_fj", &hw::Technology::sram_bit_access_energy_fj, "energy of parts that are RAM"},
}};

class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  std::vector<hw::Technology> read() const {
    YAML::Node root;
    try {
      root = read_yaml_file(path_);
    } catch (const YamlError& error) {
      throw ConfigError(error.what());
    }
    expect_map(root, "the key technologies");
    std::vector<hw::Technology> technologies;
    for (const auto& entry : root) {
      if (text_of(entry.first) != "technologies") fail_key(entry.first, "technologies");
      expect_map(entry.second, "technologies by name");
      for (const auto& technology : entry.second) {
        technologies.push_back(read_technology(text_of(technology.first), technology.second));
      }
    }
    return technologies;
  }

 private:
  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const {
    const YAML::Mark mark = node.Mark();
    throw ConfigError(fmt::format("{}:{}:{}: {}", path_, mark.line + 1, mark.column + 1, message));
  }
  [[noreturn]] void fail_key(const YAML::Node& key, const std::string& expected) const {
    fail(key, fmt::format("unknown key '{}', expected {}", key.Scalar(), expected));
  }
  std::string text_of(const YAML::Node& node) const {
    if (!node.IsScalar()) fail(node, "expected a text, found a list, a map or nothing");
    return node.Scalar();
  }
  void expect_map(const YAML::Node& node, const std::string& what) const {
    if (!node.IsMap()) fail(node, fmt::format("expected a map with {}", what));
  }

  hw::Technology read_technology(const std::string& name, const YAML::Node& node) const {
    expect_map(node, "figures");
    hw::Technology technology;
    technology.name = name;
    for (const auto& entry : node) {
      const std::string key = text_of(entry.first);
      if (key == "description") {
        technology.description = text_of(entry.second);
        continue;
      }
      const FigureKey* found = nullptr;
      std::string known = "description";
      for (const FigureKey& figure : kFigures) {
        known += fmt::format(", {}", figure.name);
        if (key == figure.name) found = &figure;
      }
      if (found == nullptr) fail_key(entry.first, "one of " + known);
      technology.*(found->member) = read_figure(key, entry.second);
    }
    return technology;
  }

  hw::Figure read_figure(const std::string& name, const YAML::Node& node) const {
    expect_map(node, "value, uncertainty and source");
    hw::Figure figure;
    bool has_value = false;
    for (const auto& entry : node) {
      const std::string key = text_of(entry.first);
      if (key == "value") {
        figure.value = read_number(entry.second, name + ".value", 0);
        has_value = true;
      } else if (key == "uncertainty") {
        figure.uncertainty = read_number(entry.second, name + ".uncertainty", 1);
      } else if (key == "source") {
        figure.source = text_of(entry.second);
      } else {
        fail_key(entry.first, "value, uncertainty or source");
      }
    }
    if (!has_value || figure.source.empty()) fail(node, name + ": expected a value and its source");
    return figure;
  }

  /// A factor of 1 means exact; a value of 0 nothing.
  double read_number(const YAML::Node& node, const std::string& name, double low) const {
    double value = NAN;
    if (node.IsScalar() && YAML::convert<double>::decode(node, value) && std::isfinite(value) &&
        value >= low && value > 0) {
      return value;
    }
    fail(node, fmt::format("{}: found '{}', expected a number {}", name,
                           node.IsScalar() ? node.Scalar() : "no number",
                           low > 0 ? fmt::format("of at least {:g}", low) : "above 0"));
  }

  std::string path_;
};

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

struct Chosen {
  std::string path;
  std::string name;  ///< "": the only one of the file
};

Chosen chosen(const std::string& choice, const std::string& project_file) {
  constexpr const char* kDefault = "scaled40";
  if (choice.empty()) return {project_file, kDefault};
  if (is_file(choice)) return {choice, ""};
  const std::size_t colon = choice.rfind(':');
  if (colon != std::string::npos) return {choice.substr(0, colon), choice.substr(colon + 1)};
  const bool is_name = choice.find_first_of("/.") == std::string::npos;
  return is_name ? Chosen{project_file, choice} : Chosen{choice, ""};
}

}  // namespace

std::vector<hw::Technology> load_technologies(const std::string& path) { return Reader(path).read(); }

hw::Technology load_technology(const std::string& path, const std::string& name) {
  std::vector<std::string> known;
  std::string all;
  for (const hw::Technology& technology : load_technologies(path)) {
    if (technology.name == name) return technology;
    known.push_back(technology.name);
    all += (all.empty() ? "" : ", ") + technology.name;
  }
  throw ConfigError(fmt::format("{}: found no technology '{}', expected one of {}{}", path, name, all,
                                did_you_mean(name, {known.begin(), known.end()})));
}

std::string technology_path(const std::string& choice, const std::string& project_file) {
  return chosen(choice, project_file).path;
}

std::optional<hw::Technology> choose_technology(const std::string& choice, const std::string& project_file) {
  if (choice.empty() && !is_file(project_file)) return std::nullopt;
  const auto [path, name] = chosen(choice, project_file);
  if (!name.empty()) return load_technology(path, name);
  const std::vector<hw::Technology> technologies = load_technologies(path);
  if (technologies.size() == 1) return technologies.front();
  std::string known;
  for (const hw::Technology& technology : technologies) known += " " + technology.name;
  throw ConfigError(fmt::format("{}: found {} technologies, expected one, or FILE:NAME with one of{}", path,
                                technologies.size(), known.empty() ? " those in the file" : known));
}

std::vector<MissingFigure> missing_figures(const hw::Technology& technology) {
  std::vector<MissingFigure> missing;
  for (const FigureKey& figure : kFigures) {
    if (!(technology.*(figure.member))) missing.push_back({figure.name, figure.effect});
  }
  return missing;
}

}  // namespace heddle
