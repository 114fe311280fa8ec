#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "workloads/description/workload.h"

namespace heddle {

/// Reads an entry of `buffers`. What it refers to, `workload` has already. Throws WorkloadError.
BufferSpec load_buffer(const std::string& name, const YAML::Node& node, const Workload& workload);

}  // namespace heddle
