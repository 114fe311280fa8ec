#include "top/report/metrics/multiprogram_metrics.h"

#include <algorithm>
#include <cmath>

namespace heddle {

MultiprogramMetrics multiprogram_metrics(const std::vector<std::uint64_t>& alone,
                                         const std::vector<std::uint64_t>& shared) {
  MultiprogramMetrics metrics;
  double low = 0;
  double high = 0;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    const double slowdown = static_cast<double>(shared[i]) / static_cast<double>(alone[i]);
    metrics.stp += 1 / slowdown;
    metrics.antt += slowdown / static_cast<double>(alone.size());
    low = i == 0 ? slowdown : std::min(low, slowdown);
    high = std::max(high, slowdown);
  }
  metrics.strict_f = high == 0 ? 0 : low / high;
  return metrics;
}

MultiprogramMetrics geometric_mean(const std::vector<MultiprogramMetrics>& values) {
  if (values.empty()) return {};
  MultiprogramMetrics sum;
  for (const MultiprogramMetrics& value : values) {
    sum.stp += std::log(value.stp);
    sum.antt += std::log(value.antt);
    sum.strict_f += std::log(value.strict_f);
  }
  const auto count = static_cast<double>(values.size());
  return {std::exp(sum.stp / count), std::exp(sum.antt / count), std::exp(sum.strict_f / count)};
}

}  // namespace heddle
