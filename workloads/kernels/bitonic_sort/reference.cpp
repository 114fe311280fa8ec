#include <algorithm>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void bitonic_sort(ReferenceMemory& memory);

void bitonic_sort(ReferenceMemory& memory) {
  constexpr std::size_t kKeys = 1024;
  const auto keys = memory.view<std::uint32_t>("keys");
  for (std::size_t first = 0; first + kKeys <= keys.size; first += kKeys) {
    std::sort(&keys[first], &keys[first] + kKeys);
  }
}

}  // namespace heddle::references
