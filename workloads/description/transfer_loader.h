#pragma once

#include <yaml-cpp/yaml.h>

#include <vector>

#include "workloads/description/known_names.h"
#include "workloads/description/workload.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

/// Reads `buffer`, `first` and `count` of a map. All of these throw WorkloadError.
BufferPart load_part(const YamlMap& map, const Workload& workload, const KnownNames& names);

/// Reads the value of `fill`: the elements of a buffer, or a part of one, are given values.
FillStatement load_fill(const YAML::Node& node, const Workload& workload, const KnownNames& names);

/// Reads the value of `copy`: from a buffer, or a part of one, to another.
CopyStatement load_copy(const YAML::Node& node, const Workload& workload, const KnownNames& names);

/// Reads the list `dump`: buffers, or parts of them.
std::vector<BufferPart> load_dumps(const YAML::Node& node, const Workload& workload);

}  // namespace heddle
