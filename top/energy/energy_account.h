#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "modules/config/gpu_config.h"
#include "top/energy/energy_table.h"
#include "top/machine/stat_registry.h"

namespace heddle {

/// An energy in nJ with its range. The ranges of a sum add up: all figures low, all figures high.
struct Energy {
  double nj = 0;
  double low_nj = 0;
  double high_nj = 0;

  Energy& operator+=(const Energy& other);
};

/// What a block took.
struct BlockEnergy {
  std::string block;
  Energy dynamic;  ///< by its events
  Energy static_;  ///< with time
  Energy sum() const;
};

/// What a launch, a run or one SM of it took.
struct EnergyAccount {
  std::vector<BlockEnergy> blocks;  ///< in the order of the table
  double seconds = 0;
  /// Events that are left out because nothing counts them: those of a DRAM outside of the model.
  std::vector<std::string> not_counted;

  Energy total() const;
  Energy dynamic() const;
  /// Of the total, what goes with time; 0 of nothing.
  double static_share() const;
  /// Energy times delay, in nJ s.
  double delay_product_nj_s() const { return total().nj * seconds; }
};

/// The value of a total metric, nothing when no block reports it.
using MetricLookup = std::function<std::optional<std::uint64_t>(const std::string&)>;

/// The energy of the GPU over `cycles` core cycles in which `count` counted.
EnergyAccount energy_of_gpu(const EnergyTable& table, const MetricLookup& count, std::uint64_t cycles,
                            const GpuConfig& config);

/// Of one SM: its own events and static power. `count` knows what this SM counted.
EnergyAccount energy_of_sm(const EnergyTable& table, const MetricLookup& count, std::uint64_t cycles,
                           const GpuConfig& config);

/// Lookups for the two: of all blocks, and of SM `sm` alone, by the names of the totals.
MetricLookup all_counts(const StatRegistry& registry, const StatValues& values);
MetricLookup counts_of_sm(const StatRegistry& registry, const StatValues& values, unsigned sm);

}  // namespace heddle
