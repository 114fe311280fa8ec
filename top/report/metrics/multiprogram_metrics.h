#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

/// How well kernels that run together fare (Eyerman and Eeckhout; SRTF 6; scheduler-details.md, "SRTF").
struct MultiprogramMetrics {
  double stp = 0;       ///< sum of alone / shared turnaround: kernels' worth of work per time; more is better
  double antt = 0;      ///< mean of shared / alone: slowdown; less is better
  double strict_f = 0;  ///< smallest slowdown / largest: 1 is fair
};

/// `alone` and `shared`: turnaround cycles per kernel, equally many, > 0.
MultiprogramMetrics multiprogram_metrics(const std::vector<std::uint64_t>& alone,
                                         const std::vector<std::uint64_t>& shared);
/// Geometric means, member by member; all 0 for none.
MultiprogramMetrics geometric_mean(const std::vector<MultiprogramMetrics>& values);

}  // namespace heddle
