#pragma once

#include <functional>
#include <string>

#include "modules/config/gpu_config.h"
#include "modules/config/value_range.h"

namespace heddle {

/// One key of the configuration: its name in YAML ("l1d.mshr.entries"), what it may be, what it means, and
/// the member of GpuConfig that holds it.
struct ConfigKey : ValueRange {
  std::string path;
  std::string unit;  ///< "" when it has none
  std::string description;
  std::function<ConfigValue(const GpuConfig&)> get;
  std::function<void(GpuConfig&, const ConfigValue&)> set;

  using ValueRange::format;
  std::string format(const GpuConfig& config) const { return format(get(config)); }
};

}  // namespace heddle
