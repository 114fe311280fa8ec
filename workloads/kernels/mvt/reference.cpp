#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void mvt(ReferenceMemory& memory);

void mvt(ReferenceMemory& memory) {
  const std::size_t n = memory.size("n");
  const auto a = memory.view<float>("a");
  const auto x1 = memory.view<float>("x1");
  const auto x2 = memory.view<float>("x2");
  const auto y1 = memory.view<float>("y1");
  const auto y2 = memory.view<float>("y2");
  Scratch<double> columns(x2.begin(), x2.end());
  for (std::size_t row = 0; row < n; ++row) {
    double sum = x1[row];
    for (std::size_t column = 0; column < n; ++column) {
      sum += double{a[row * n + column]} * y1[column];
      columns[column] += double{a[row * n + column]} * y2[row];
    }
    x1[row] = static_cast<float>(sum);
  }
  for (std::size_t column = 0; column < n; ++column) {
    x2[column] = static_cast<float>(columns[column]);
  }
}

}  // namespace heddle::references
