#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void histogram256(ReferenceMemory& memory);

void histogram256(ReferenceMemory& memory) {
  const auto counts = memory.view<std::uint32_t>("counts");
  for (const std::uint32_t word : memory.view<std::uint32_t>("data")) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      ++counts[word >> shift & 255U];
    }
  }
}

}  // namespace heddle::references
