#pragma once

#include <string>
#include <vector>

#include "top/config/config_loader.h"

namespace heddle {

/// Where the first of `keys` that a file or an option gives was given, followed by ": ", or "" when all of
/// them have their defaults.
std::string origin_of(const LoadedConfig& loaded, const std::vector<std::string>& keys);

}  // namespace heddle
