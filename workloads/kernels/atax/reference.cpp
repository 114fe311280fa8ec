#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void atax(ReferenceMemory& memory);

void atax(ReferenceMemory& memory) {
  const std::size_t n = memory.size("n");
  const auto a = memory.view<float>("a");
  const auto x = memory.view<float>("x");
  const auto t = memory.view<float>("t");
  const auto y = memory.view<float>("y");
  Scratch<double> columns(n);
  for (std::size_t row = 0; row < n; ++row) {
    double sum = 0.0;
    for (std::size_t column = 0; column < n; ++column) {
      sum += double{a[row * n + column]} * x[column];
    }
    t[row] = static_cast<float>(sum);
    for (std::size_t column = 0; column < n; ++column) {
      columns[column] += a[row * n + column] * sum;
    }
  }
  for (std::size_t column = 0; column < n; ++column) {
    y[column] = static_cast<float>(columns[column]);
  }
}

}  // namespace heddle::references
