#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "top/experiment/definition/experiment.h"

namespace heddle {

/// Reads the list `workloads` of an experiment's file: names, or maps that say more. `size`: of those that
/// have none of their own. Throws WorkloadError.
std::vector<ExperimentWorkload> read_workloads(const YAML::Node& node, const std::string& file,
                                               const std::string& size);

/// The text names a file, relative to the one that it stands in, rather than something that comes with
/// Heddle.
bool names_a_file(const std::string& text);

/// Throws WorkloadError for one that can't be read as an Arrival; `node` is the list, or the one text.
void check_arrivals(const YAML::Node& node, const std::vector<std::string>& arrivals,
                    const std::string& file);

}  // namespace heddle
