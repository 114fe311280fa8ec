#pragma once

#include <optional>
#include <vector>

#include "top/batch/run_outcome.h"

namespace heddle {

/// How much faster a run is than another. When cycles are estimates, that lies between `low` and `high`: what
/// it is at the ends of their 95% confidence intervals.
struct Speedup {
  double value = 1;
  double low = 1;
  double high = 1;

  /// Intervals overlap, so that nobody can say which run is faster.
  bool is_open() const { return low < high && low <= 1 && high >= 1; }
};

/// Of two runs that came to their end, else nothing; 1 of a run over itself.
std::optional<Speedup> speedup(const RunOutcome& first, const RunOutcome& run);

/// The geometric mean, with all at the same end of their intervals; nothing when one is not known.
std::optional<Speedup> mean_of(const std::vector<std::optional<Speedup>>& speedups);

/// Geometric mean; nothing when a value is missing or not above 0, or there are none.
std::optional<double> geometric_mean(const std::vector<std::optional<double>>& values);

}  // namespace heddle
