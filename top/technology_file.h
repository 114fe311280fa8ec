#pragma once

#include <string>
#include <vector>

#include "hw/technology.h"

namespace heddle {

/// The technologies of a YAML file such as configs/technology/estimates.yaml, in the order of the file.
/// Throws ConfigError ("FILE:LINE:COLUMN: ...") when it can't be read, for unknown keys, numbers that are not
/// above 0, an uncertainty below 1, and figures without a source.
std::vector<hw::Technology> load_technologies(const std::string& path);

/// One of them by name; throws ConfigError naming those that exist.
hw::Technology load_technology(const std::string& path, const std::string& name);

}  // namespace heddle
