#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "workloads/description/workload.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

/// Reads `ptx` of a workload `file`: the name of a PTX file, or a list of such. Throws WorkloadError.
std::vector<PtxFile> load_ptx_files(const YAML::Node& node, const std::string& file);

/// Reads `ptx` of a launch or a symbol, which says which of the workload's files is meant.
PtxChoice load_ptx_choice(const YamlMap& map, const Workload& workload);

}  // namespace heddle
