#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "top/reproduction/definition/figure_definition.h"

namespace heddle {

// What the paper gives for a figure. Both add to `numbers` and throw WorkloadError.

/// One by one: [{row, series, value, at_least, at_most, section}].
void load_paper_numbers(const YAML::Node& node, const std::string& file, std::vector<PaperNumber>& numbers);
/// A whole table: {section, series: [...], rows: {ROW: [numbers, ~ where there is none]}}.
void load_paper_table(const YAML::Node& node, const std::string& file, std::vector<PaperNumber>& numbers);

}  // namespace heddle
