#pragma once

#include <optional>
#include <string>
#include <vector>

#include "modules/config/gpu_config.h"

namespace heddle {

/// Values that are each in range but do not fit each other.
struct ConfigConflict {
  std::vector<std::string> paths;  ///< the keys, the more specific one first
  std::string message;             ///< begins with the first key, names values and what was expected
};

/// The first conflict, or nothing when the configuration can be built.
std::optional<ConfigConflict> find_config_conflict(const GpuConfig& config);

}  // namespace heddle
