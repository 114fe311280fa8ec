#pragma once

#include <nlohmann/json.hpp>

#include "modules/config/gpu_config.h"

namespace heddle {

/// The values of all keys by their paths, in the schema's order: numbers, flags, and choices by name.
nlohmann::ordered_json config_values(const GpuConfig& config);

}  // namespace heddle
