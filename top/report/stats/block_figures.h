#pragma once

#include <nlohmann/json.hpp>

#include "top/machine/stat_registry.h"

namespace heddle {

/// A count as a whole number, a level as a number.
nlohmann::ordered_json value_of(const Metric& metric, const StatValues& values);

/// "instances" of stats.json: the figures of each block, by kind of block.
nlohmann::ordered_json instances_json(const StatRegistry& registry, const StatValues& values);

}  // namespace heddle
