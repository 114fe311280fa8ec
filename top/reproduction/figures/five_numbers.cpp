#include "top/reproduction/figures/five_numbers.h"

#include <algorithm>
#include <cstddef>

namespace heddle {
namespace {

double at_share(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 == sorted.size()) return sorted.back();
  const double over = place - static_cast<double>(below);
  return sorted[below] + over * (sorted[below + 1] - sorted[below]);
}

}  // namespace

FiveNumbers FiveNumbers::of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  FiveNumbers numbers;
  numbers.least = values.front();
  numbers.lower_quartile = at_share(values, 0.25);
  numbers.median = at_share(values, 0.5);
  numbers.upper_quartile = at_share(values, 0.75);
  numbers.most = values.back();
  const double reach = 1.5 * (numbers.upper_quartile - numbers.lower_quartile);
  // The quartiles lie between values, so that there is one on either side of the box's rims.
  numbers.low_whisker = numbers.high_whisker = numbers.median;
  for (const double value : values) {
    if (value < numbers.lower_quartile - reach || value > numbers.upper_quartile + reach) {
      numbers.outliers.push_back(value);
      continue;
    }
    numbers.low_whisker = std::min(numbers.low_whisker, value);
    numbers.high_whisker = std::max(numbers.high_whisker, value);
  }
  return numbers;
}

}  // namespace heddle
