#include <algorithm>
#include <utility>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void sorting_network(ReferenceMemory& memory);

void sorting_network(ReferenceMemory& memory) {
  const auto keys = memory.view<std::uint32_t>("keys");
  const auto values = memory.view<std::uint32_t>("values");
  Scratch<std::pair<std::uint32_t, std::uint32_t>> pairs(keys.size);
  for (std::size_t i = 0; i < keys.size; ++i) pairs[i] = {keys[i], values[i]};
  std::size_t array = 1024;
  for (std::size_t k = 0; k < memory.size("merges") && array < keys.size; ++k) array *= 2;
  for (std::size_t first = 0; first + array <= keys.size; first += array) {
    std::sort(&pairs[first], &pairs[first] + array);
  }
  for (std::size_t i = 0; i < keys.size; ++i) {
    keys[i] = pairs[i].first;
    values[i] = pairs[i].second;
  }
}

}  // namespace heddle::references
