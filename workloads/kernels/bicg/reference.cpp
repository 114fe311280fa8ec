#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void bicg(ReferenceMemory& memory);

void bicg(ReferenceMemory& memory) {
  const std::size_t n = memory.size("n");
  const auto a = memory.view<float>("a");
  const auto r = memory.view<float>("r");
  const auto p = memory.view<float>("p");
  const auto s = memory.view<float>("s");
  const auto q = memory.view<float>("q");
  Scratch<double> columns(n);
  for (std::size_t row = 0; row < n; ++row) {
    double sum = 0.0;
    for (std::size_t column = 0; column < n; ++column) {
      columns[column] += double{a[row * n + column]} * r[row];
      sum += double{a[row * n + column]} * p[column];
    }
    q[row] = static_cast<float>(sum);
  }
  for (std::size_t column = 0; column < n; ++column) {
    s[column] = static_cast<float>(columns[column]);
  }
}

}  // namespace heddle::references
