#pragma once

#include <string>
#include <vector>

#include "workloads/timed/timed_launch.h"

namespace heddle {

/// What a paper reports for all pairs of the kernels: geometric means.
struct PublishedFigures {
  std::string policy;
  std::string arrival;  ///< of the second kernel: "100" core cycles, or "25%" of the first's run time alone
  double stp = 0;
  double antt = 0;
  double strict_f = 0;
};

/// A workload of the kind `timed`: kernels whose thread blocks last a drawn time.
struct TimedWorkload {
  std::string name;
  std::string description;
  std::vector<TimedKernel> kernels;
  std::vector<PublishedFigures> published;
};

/// The file says `kind: timed`; false when it can't be read.
bool is_timed_workload(const std::string& path);

/// Reads it from YAML. A kernel without `seed` has its place in the list, from 1. Throws WorkloadError.
TimedWorkload load_timed_workload(const std::string& path);

}  // namespace heddle
