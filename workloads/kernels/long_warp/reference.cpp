#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void long_warp(ReferenceMemory& memory);

void long_warp(ReferenceMemory& memory) {
  const auto values = memory.view<std::uint32_t>("values");
  const std::size_t block = memory.positive("block");
  const std::size_t rounds = memory.size("rounds");
  for (std::size_t i = 0; i < values.size; ++i) {
    auto value = static_cast<std::uint32_t>(i);
    if (i % block < 32) {
      for (std::size_t round = 0; round < rounds; ++round) {
        throw_if_stopped();
        value = value * 1664525U + 1013904223U;
      }
    }
    values[i] = value;
  }
}

}  // namespace heddle::references
