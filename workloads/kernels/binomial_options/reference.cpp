#include <algorithm>
#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void binomial_options(ReferenceMemory& memory);

void binomial_options(ReferenceMemory& memory) {
  constexpr double kRate = 0.06;
  constexpr double kVolatility = 0.3;
  const auto price = memory.view<float>("price");
  const auto strike = memory.view<float>("strike");
  const auto years = memory.view<float>("years");
  const auto values = memory.view<float>("values");
  const std::size_t steps = memory.positive("steps");
  Scratch<double> nodes(steps + 1);
  for (std::size_t option = 0; option < values.size; ++option) {
    const double step_years = years[option] / static_cast<double>(steps);
    const double up = std::exp(kVolatility * std::sqrt(step_years));
    const double chance = (std::exp(kRate * step_years) - 1 / up) / (up - 1 / up);
    for (std::size_t i = 0; i <= steps; ++i) {
      const double rises = 2 * static_cast<double>(i) - static_cast<double>(steps);
      nodes[i] = std::max(price[option] * std::pow(up, rises) - strike[option], 0.0);
    }
    for (std::size_t last = steps; last > 0; --last) {
      for (std::size_t i = 0; i < last; ++i) nodes[i] = chance * nodes[i + 1] + (1 - chance) * nodes[i];
    }
    values[option] = static_cast<float>(nodes[0] * std::exp(-kRate * years[option]));
  }
}

}  // namespace heddle::references
