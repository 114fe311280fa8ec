#include <algorithm>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void syrk(ReferenceMemory& memory);

void syrk(ReferenceMemory& memory) {
  const std::size_t n = memory.size("n");
  const auto a = memory.view<float>("a");
  const auto c = memory.view<float>("c");
  const std::size_t rows = std::min(n, (memory.size("rows") + 7) / 8 * 8);  // whole TBs
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k) {
        sum += double{a[row * n + k]} * a[column * n + k];
      }
      c[row * n + column] = static_cast<float>(1.5 * sum + 0.5 * c[row * n + column]);
    }
  }
}

}  // namespace heddle::references
