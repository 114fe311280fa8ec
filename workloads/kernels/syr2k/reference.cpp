#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void syr2k(ReferenceMemory& memory);

void syr2k(ReferenceMemory& memory) {
  const std::size_t n = memory.size("n");
  const std::size_t m = memory.size("m");
  const auto a = memory.view<float>("a");
  const auto b = memory.view<float>("b");
  const auto c = memory.view<float>("c");
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      double sum = 0.0;
      for (std::size_t k = 0; k < m; ++k) {
        sum += double{a[row * m + k]} * b[column * m + k] + double{b[row * m + k]} * a[column * m + k];
      }
      c[row * n + column] = static_cast<float>(1.5 * sum + 0.5 * c[row * n + column]);
    }
  }
}

}  // namespace heddle::references
