#include <algorithm>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void srad(ReferenceMemory& memory);

void srad(ReferenceMemory& memory) {
  const std::size_t columns = memory.positive("columns");
  const std::size_t rows = memory.positive("rows");
  const std::size_t n = columns * rows;
  const auto image = memory.view<float>("image");
  const auto coefficient = memory.view<float>("coefficient");
  Scratch<double> now(image.begin(), image.end());
  Scratch<double> diffusion(n);
  const auto at = [&](std::size_t row, std::size_t column) {
    return std::min(row, rows - 1) * columns + std::min(column, columns - 1);
  };
  const auto before = [](std::size_t index) { return index > 0 ? index - 1 : index; };
  for (std::size_t iteration = 0; iteration < memory.size("iterations"); ++iteration) {
    double sum = 0.0;
    double square = 0.0;
    for (const double value : now) {
      sum += value;
      square += value * value;
    }
    const double mean = sum / static_cast<double>(n);
    const double speckle = (square / static_cast<double>(n) - mean * mean) / (mean * mean);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        const double value = now[at(row, column)];
        double squared = 0.0;
        double laplacian = 0.0;
        for (const std::size_t neighbour :
             {at(before(row), column), at(row + 1, column), at(row, before(column)), at(row, column + 1)}) {
          const double difference = (now[neighbour] - value) / value;
          squared += difference * difference;
          laplacian += difference;
        }
        const double smooth = 1.0 + laplacian / 4.0;
        const double variation = (squared / 2.0 - laplacian * laplacian / 16.0) / (smooth * smooth);
        const double c = 1.0 / (1.0 + (variation - speckle) / (speckle * (1.0 + speckle)));
        diffusion[at(row, column)] = std::clamp(c, 0.0, 1.0);
      }
    }
    Scratch<double> then(n);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t own = at(row, column);
        const double value = now[own];
        const std::size_t south = at(row + 1, column);
        const std::size_t east = at(row, column + 1);
        const double flow = diffusion[own] * (now[at(before(row), column)] - value) +
                            diffusion[own] * (now[at(row, before(column))] - value) +
                            diffusion[south] * (now[south] - value) + diffusion[east] * (now[east] - value);
        then[own] = value + 0.5 * flow / 4.0;
      }
    }
    now.swap(then);
  }
  std::transform(now.begin(), now.end(), image.begin(), [](double v) { return static_cast<float>(v); });
  std::transform(diffusion.begin(), diffusion.end(), coefficient.begin(),
                 [](double v) { return static_cast<float>(v); });
}

}  // namespace heddle::references
