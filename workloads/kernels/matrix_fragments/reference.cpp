#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void matrix_fragments(ReferenceMemory& memory);

void matrix_fragments(ReferenceMemory& memory) {
  const std::size_t n = memory.size("n");
  const auto a = memory.view<float>("a");
  const auto b = memory.view<float>("b");
  const auto c = memory.view<float>("c");
  for (std::size_t matrix = 0; matrix < memory.size("matrices"); ++matrix) {
    const std::size_t first = matrix * n * n;
    for (std::size_t y = 0; y < n; ++y) {
      for (std::size_t x = 0; x < n; ++x) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) {
          sum += double{a[first + y * n + k]} * b[first + k * n + x];
        }
        c[first + y * n + x] = static_cast<float>(sum);
      }
    }
  }
}

}  // namespace heddle::references
