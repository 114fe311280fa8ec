#include "top/machine/estimated_counts.h"

#include <algorithm>
#include <cmath>

namespace heddle {

std::map<std::string, double> KnownTotals::by_name() const {
  return {{"sm.tbs", tbs},
          {"sm.warps", warps},
          {"sm.warp_instructions", warp_instructions},
          {"sm.thread_instructions", thread_instructions},
          {"tb_dispatcher.tbs_dispatched", tbs_dispatched},
          {"tb_dispatcher.tbs_ended", tbs}};
}

std::vector<std::uint64_t> whole_counts(const StatRegistry& registry, const std::vector<double>& estimates,
                                        const KnownTotals& known) {
  std::map<std::string, double> estimated;
  for (const Metric& metric : registry.metrics()) {
    if (metric.is_count)
      estimated[kind_of_scope(metric.scope) + '.' + metric.name] += estimates[metric.index];
  }
  std::map<std::string, double> factors;
  for (const auto& [name, total] : known.by_name()) {
    if (estimated[name] > 0) factors[name] = total / estimated[name];
  }
  std::vector<std::uint64_t> counts(estimates.size());
  std::map<std::string, double> carried;  // what rounding has left of the total
  for (const Metric& metric : registry.metrics()) {
    if (!metric.is_count) continue;
    const std::string total = kind_of_scope(metric.scope) + '.' + metric.name;
    const auto factor = factors.find(total);
    double& carry = carried[total];
    const double wanted = estimates[metric.index] * (factor == factors.end() ? 1 : factor->second) + carry;
    const double whole = std::max(std::round(wanted), 0.0);
    counts[metric.index] = static_cast<std::uint64_t>(whole);
    carry = wanted - whole;
  }
  return counts;
}

}  // namespace heddle
