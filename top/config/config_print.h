#pragma once

#include <string>

#include "top/config/config_loader.h"

namespace heddle {

struct ConfigPrintOptions {
  bool descriptions = false;  ///< a comment above every key: meaning, unit, range
};

/// The complete configuration as YAML that ConfigLoader reads back. A value that differs from its default is
/// marked "# default: x".
std::string print_config(const LoadedConfig& loaded, const ConfigPrintOptions& options = {});

}  // namespace heddle
