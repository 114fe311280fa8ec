#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "top/machine/stat_registry.h"

namespace heddle {

/// Totals that are known of a launch whatever of it was simulated, by name.
struct KnownTotals {
  double tbs_dispatched = 0;
  double tbs = 0;  ///< that have ended
  double warps = 0;
  double warp_instructions = 0;
  double thread_instructions = 0;

  std::map<std::string, double> by_name() const;
};

/// Estimates of all counts as whole numbers, each kind's sum over its blocks within one of what it was; those
/// that are known are scaled to what they are. `estimates` are by Metric::index.
std::vector<std::uint64_t> whole_counts(const StatRegistry& registry, const std::vector<double>& estimates,
                                        const KnownTotals& known);

}  // namespace heddle
