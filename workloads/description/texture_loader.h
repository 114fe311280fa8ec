#pragma once

#include <yaml-cpp/yaml.h>

#include <vector>

#include "workloads/description/texture_spec.h"
#include "workloads/description/workload.h"

namespace heddle {

/// Reads the `textures` map of a workload file, whose buffers and parameters are loaded. Throws WorkloadError
/// for what no texture can be: formats, memories and modes that don't exist or don't go together.
std::vector<TextureSpec> load_textures(const YAML::Node& node, const Workload& workload);

/// The texture called `name`, or a WorkloadError at `mark` that names those that exist.
const TextureSpec& find_texture(const Workload& workload, const std::string& name, const SourceMark& mark);

}  // namespace heddle
