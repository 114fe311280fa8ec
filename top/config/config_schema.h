#pragma once

#include <list>
#include <string>
#include <vector>

#include "top/config/config_key.h"

namespace heddle {

/// Every key of the configuration, in the order in which it is printed: the machine's, and after those of the
/// section "scheduler" the parameters of the warp-scheduling policies that are registered. Keys stay where
/// they are when more policies are added. Defaults are GpuConfig's own. Throws std::invalid_argument, once,
/// when two policies declare the same parameter.
const std::list<ConfigKey>& config_schema();

/// The key with that path, or nullptr.
const ConfigKey* find_config_key(const std::string& path);

/// Every path.
std::vector<std::string> config_paths();

}  // namespace heddle
