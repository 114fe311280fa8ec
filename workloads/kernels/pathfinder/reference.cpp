#include <algorithm>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void pathfinder(ReferenceMemory& memory);

void pathfinder(ReferenceMemory& memory) {
  const auto cost = memory.view<std::int32_t>("cost");
  const auto path = memory.view<std::int32_t>("path");
  Scratch<std::int32_t> before(path.size);
  for (std::size_t row = 0; row < cost.size / path.size; ++row) {
    std::copy(path.begin(), path.end(), before.begin());
    for (std::size_t column = 0; column < path.size; ++column) {
      const std::size_t left = column > 0 ? column - 1 : column;
      const std::size_t right = std::min(column + 1, path.size - 1);
      path[column] = std::min({before[left], before[column], before[right]}) + cost[row * path.size + column];
    }
  }
}

}  // namespace heddle::references
