#include "top/reproduction/figures/fold.h"

#include <algorithm>
#include <numeric>

#include "top/report/summary/speedup_summary.h"

namespace heddle {

namespace {

double count_of(Fold fold, const std::vector<double>& values, double reference) {
  return static_cast<double>(std::count_if(values.begin(), values.end(), [&](double value) {
    const bool above = value > reference * (1 + kTie);
    const bool below = value < reference * (1 - kTie);
    if (fold == Fold::kAbove) return above;
    return fold == Fold::kBelow ? below : !above && !below;
  }));
}

}  // namespace

std::optional<double> fold_values(Fold fold, const std::vector<std::optional<double>>& values,
                                  double reference) {
  std::vector<double> there;
  for (const auto& value : values) {
    if (value) there.push_back(*value);
  }
  if (there.empty()) return std::nullopt;
  switch (fold) {
    case Fold::kGeometricMean:
      return geometric_mean({there.begin(), there.end()});
    case Fold::kMean:
      return std::accumulate(there.begin(), there.end(), 0.0) / static_cast<double>(there.size());
    case Fold::kLeast:
      return *std::min_element(there.begin(), there.end());
    case Fold::kMost:
      return *std::max_element(there.begin(), there.end());
    case Fold::kSum:
      return std::accumulate(there.begin(), there.end(), 0.0);
    default:
      return count_of(fold, there, reference);
  }
}

}  // namespace heddle
