#include <algorithm>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void radix_sort(ReferenceMemory& memory);

void radix_sort(ReferenceMemory& memory) {
  const auto data = memory.view<std::uint32_t>("data");
  std::sort(data.begin(), data.end());
  memory.view<std::uint32_t>("total")[0] = static_cast<std::uint32_t>(data.size);
}

}  // namespace heddle::references
