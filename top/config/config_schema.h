#pragma once

#include <string>
#include <vector>

#include "top/config/config_key.h"

namespace heddle {

/// Every key of the configuration, in the order in which it is printed. Defaults are GpuConfig's own.
const std::vector<ConfigKey>& config_schema();

/// The key with that path, or nullptr.
const ConfigKey* find_config_key(const std::string& path);

/// Every path.
std::vector<std::string> config_paths();

}  // namespace heddle
