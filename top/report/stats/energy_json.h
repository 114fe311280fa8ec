#pragma once

#include <nlohmann/json.hpp>

#include "modules/config/gpu_config.h"
#include "top/energy/energy_table.h"
#include "top/machine/run_result.h"

namespace heddle {

/// "energy" of stats.json: by block, of the GPU and of each SM by itself.
nlohmann::ordered_json energy_json(const EnergyTable& table, const GpuConfig& config,
                                   const StatRegistry& registry, const RunResult& result);

}  // namespace heddle
