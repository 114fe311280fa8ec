#include <algorithm>
#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

namespace {

/// Newton's method on the cumulative function, from the middle: it is convex on each side.
double inverse_normal(double area) {
  if (area > 0.5) return -inverse_normal(1 - area);
  double x = 0;
  for (unsigned round = 0; round < 60; ++round) {
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * 3.14159265358979323846);
    x -= (0.5 * std::erfc(-x / std::sqrt(2.0)) - area) / density;
  }
  return x;
}

}  // namespace

void monte_carlo(ReferenceMemory& memory);

void monte_carlo(ReferenceMemory& memory) {
  constexpr double kRate = 0.06;
  constexpr double kVolatility = 0.1;
  const auto samples = memory.view<float>("samples");
  const auto price = memory.view<float>("price");
  const auto strike = memory.view<float>("strike");
  const auto years = memory.view<float>("years");
  const auto value = memory.view<float>("value");
  const auto confidence = memory.view<float>("confidence");
  const auto paths = static_cast<double>(samples.size);
  for (std::size_t i = 0; i < samples.size; ++i) {
    samples[i] = static_cast<float>(inverse_normal((static_cast<double>(i) + 1) / (paths + 1)));
  }
  for (std::size_t option = 0; option < value.size; ++option) {
    const double drift = (kRate - kVolatility * kVolatility / 2) * years[option];
    const double spread = kVolatility * std::sqrt(years[option]);
    double sum = 0;
    double squares = 0;
    for (const float sample : samples) {
      const double paid = std::max(price[option] * std::exp(drift + spread * sample) - strike[option], 0.0);
      sum += paid;
      squares += paid * paid;
    }
    const double mean = sum / paths;
    const double deviation = std::sqrt((squares - sum * mean) / (paths - 1));
    const double discount = std::exp(-kRate * years[option]);
    value[option] = static_cast<float>(discount * mean);
    confidence[option] = static_cast<float>(1.96 * discount * deviation / std::sqrt(paths));
  }
}

}  // namespace heddle::references
