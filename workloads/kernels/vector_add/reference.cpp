#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void vector_add(ReferenceMemory& memory);

void vector_add(ReferenceMemory& memory) {
  const auto a = memory.view<float>("a");
  const auto b = memory.view<float>("b");
  const auto c = memory.view<float>("c");
  for (std::size_t i = 0; i < c.size; ++i) {
    c[i] = a[i] + b[i];
  }
}

}  // namespace heddle::references
