#include <algorithm>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void matrix_multiply(ReferenceMemory& memory);

void matrix_multiply(ReferenceMemory& memory) {
  const std::size_t n = memory.size("n");
  const auto a = memory.view<float>("a");
  const auto b = memory.view<float>("b");
  const auto c = memory.view<float>("c");
  Scratch<double> row(n);
  for (std::size_t y = 0; y < n; ++y) {
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t x = 0; x < n; ++x) {
        row[x] += double{a[y * n + k]} * b[k * n + x];
      }
    }
    for (std::size_t x = 0; x < n; ++x) {
      c[y * n + x] = static_cast<float>(row[x]);
    }
  }
}

}  // namespace heddle::references
