#pragma once

#include <yaml-cpp/yaml.h>

#include <map>
#include <string>
#include <vector>

#include "top/reproduction/definition/figure_definition.h"

namespace heddle {

/// What the figures of a file share.
struct SharedDefinitions {
  std::map<std::string, std::vector<RowDefinition>> rows;
  std::map<std::string, PointChoice> points;
};

// All throw WorkloadError.
std::vector<RowDefinition> load_rows(const YAML::Node& node, const std::string& file);
std::map<std::string, PointChoice> load_points(const YAML::Node& node, const std::string& file);
FigureDefinition load_figure(const YAML::Node& node, const std::string& file,
                             const SharedDefinitions& shared);
/// A real number; `what` names it in messages.
double load_number(const YAML::Node& node, const std::string& file, const std::string& what);
/// Texts of a list; {} when the map has no such key.
std::vector<std::string> load_texts(const YAML::Node& node, const std::string& file, const std::string& what);

}  // namespace heddle
