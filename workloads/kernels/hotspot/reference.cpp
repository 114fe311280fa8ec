#include <algorithm>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void hotspot(ReferenceMemory& memory);

void hotspot(ReferenceMemory& memory) {
  const std::size_t n = memory.size("n");
  const auto power = memory.view<float>("power");
  const auto temperature = memory.view<float>("temperature");
  Scratch<double> now(temperature.begin(), temperature.end());
  Scratch<double> then(now.size());
  for (std::size_t step = 0; step < memory.size("passes") * memory.size("steps"); ++step) {
    for (std::size_t row = 0; row < n; ++row) {
      const std::size_t north = (row > 0 ? row - 1 : row) * n;
      const std::size_t south = (row + 1 < n ? row + 1 : row) * n;
      for (std::size_t column = 0; column < n; ++column) {
        const std::size_t west = column > 0 ? column - 1 : column;
        const std::size_t east = column + 1 < n ? column + 1 : column;
        const double t = now[row * n + column];
        then[row * n + column] = t + 0.1 * (now[north + column] + now[south + column] - 2.0 * t) +
                                 0.1 * (now[row * n + west] + now[row * n + east] - 2.0 * t) +
                                 0.05 * power[row * n + column] + 0.01 * (80.0 - t);
      }
    }
    now.swap(then);
  }
  std::transform(now.begin(), now.end(), temperature.begin(), [](double t) { return static_cast<float>(t); });
}

}  // namespace heddle::references
