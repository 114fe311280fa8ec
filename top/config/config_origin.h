#pragma once

#include <string>

#include "top/config/config_loader.h"

namespace heddle {

/// Where the value was given that `message` names by its key, with ": " behind, or "".
std::string origin_in(const LoadedConfig& loaded, const std::string& message);

}  // namespace heddle
