#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void gesummv(ReferenceMemory& memory);

void gesummv(ReferenceMemory& memory) {
  const std::size_t columns = memory.size("columns");
  const auto a = memory.view<float>("a");
  const auto b = memory.view<float>("b");
  const auto x = memory.view<float>("x");
  const auto y = memory.view<float>("y");
  for (std::size_t row = 0; row < y.size; ++row) {
    double sum = 0.0;
    for (std::size_t column = 0; column < columns; ++column) {
      sum += (1.5 * a[row * columns + column] + 0.5 * b[row * columns + column]) * x[column];
    }
    y[row] = static_cast<float>(sum);
  }
}

}  // namespace heddle::references
