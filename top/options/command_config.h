#pragma once

#include <string>

#include "top/config/config_loader.h"
#include "top/options/options.h"

namespace heddle {

/// The configuration that --config, --set and, applied last, --scheduler ("" = none) give. Throws ConfigError
/// and FileNotFound.
LoadedConfig load_command_config(const ConfigOptions& options, const std::string& scheduler = "");

}  // namespace heddle
