#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void scalar_product(ReferenceMemory& memory);

void scalar_product(ReferenceMemory& memory) {
  const std::size_t length = memory.size("length");
  const auto out = memory.view<float>("out");
  const auto a = memory.view<float>("a");
  const auto b = memory.view<float>("b");
  for (std::size_t pair = 0; pair < out.size; ++pair) {
    double sum = 0.0;
    for (std::size_t k = pair * length; k < (pair + 1) * length; ++k) {
      sum += double{a[k]} * b[k];
    }
    out[pair] = static_cast<float>(sum);
  }
}

}  // namespace heddle::references
