#include "top/cluster/job_packing.h"

namespace heddle {

std::vector<std::vector<std::size_t>> pack_jobs(const std::vector<double>& seconds, double job_seconds,
                                                std::size_t most) {
  std::vector<std::vector<std::size_t>> jobs;
  double filled = 0;
  for (std::size_t point = 0; point < seconds.size(); ++point) {
    if (jobs.empty() || filled + seconds[point] > job_seconds || jobs.back().size() == most) {
      jobs.emplace_back();
      filled = 0;
    }
    jobs.back().push_back(point);
    filled += seconds[point];
  }
  return jobs;
}

}  // namespace heddle
