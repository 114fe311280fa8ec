#include "top/config/config_print.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <vector>

#include "top/config/config_schema.h"

namespace heddle {

namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
    parts.push_back(path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  parts.push_back(path.substr(begin));
  return parts;
}

/// A value as YAML writes it: texts are quoted when they need to be.
std::string scalar(const ConfigKey& key, const GpuConfig& config) {
  if (!std::holds_alternative<std::string>(key.get(config))) return key.format(config);
  YAML::Emitter emitter;
  emitter << key.format(config);
  return emitter.c_str();
}

std::string describe(const ConfigKey& key) {
  const std::string unit = key.unit.empty() ? "" : key.unit + ", ";
  return fmt::format("{} ({}{})", key.description, unit, key.range());
}

}  // namespace

std::string print_config(const LoadedConfig& loaded, const ConfigPrintOptions& options) {
  const GpuConfig defaults;
  std::string text;
  std::vector<std::string> open;  // sections around the last key printed
  for (const ConfigKey& key : config_schema()) {
    const std::vector<std::string> parts = split(key.path);
    std::size_t common = 0;
    while (common < open.size() && common + 1 < parts.size() && open[common] == parts[common]) {
      ++common;
    }
    open.resize(common);
    for (; open.size() + 1 < parts.size(); open.push_back(parts[open.size()])) {
      text += fmt::format("{:{}}{}:\n", "", 2 * open.size(), parts[open.size()]);
    }
    const std::size_t indent = 2 * open.size();
    if (options.descriptions) {
      text += fmt::format("{:{}}# {}\n", "", indent, describe(key));
    }
    text += fmt::format("{:{}}{}: {}", "", indent, parts.back(), scalar(key, loaded.config));
    if (key.get(loaded.config) != key.get(defaults)) {
      text += "  # default: " + key.format(defaults);
    }
    text += '\n';
  }
  return text;
}

}  // namespace heddle
