#include <algorithm>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void bitonic_sort(ReferenceMemory& memory);

void bitonic_sort(ReferenceMemory& memory) {
  constexpr std::ptrdiff_t kKeys = 1024;
  const auto keys = memory.view<std::uint32_t>("keys");
  for (std::uint32_t* tile = keys.begin(); tile != keys.end(); tile += kKeys) std::sort(tile, tile + kKeys);
}

}  // namespace heddle::references
