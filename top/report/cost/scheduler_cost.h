#pragma once

#include <cstdint>
#include <optional>

#include "hw/reports/cost_table.h"
#include "top/config/config_loader.h"
#include "top/machine/gpu.h"

namespace heddle {

/// What a scheduler's cost is set in relation to: the SMs, register file and L1D of `config`, and a run of
/// `cycles` core cycles (0: none); and which of its policies are unpriced. Throws std::invalid_argument for a
/// scheduler that can't be built.
hw::CostContext cost_context(const GpuConfig& config, const std::optional<hw::Technology>& technology,
                             std::uint64_t cycles = 0);

/// The cost of the configuration's scheduler, from building the policies of one SM; nothing is simulated.
/// Throws ConfigError for a policy's parameter that is out of range.
hw::CostTable scheduler_cost(const LoadedConfig& loaded, const std::optional<hw::Technology>& technology);

/// The cost of the schedulers of a GPU, with what their parts did in `cycles` core cycles.
hw::CostTable run_cost(const Gpu& gpu, const std::optional<hw::Technology>& technology, std::uint64_t cycles);

}  // namespace heddle
