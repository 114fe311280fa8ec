#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void bfs(ReferenceMemory& memory);

// A queue instead of frontiers: levels of a breadth-first search do not depend on the order in a level.
void bfs(ReferenceMemory& memory) {
  const auto row_start = memory.view<std::int32_t>("row_start");
  const auto neighbour = memory.view<std::int32_t>("neighbour");
  const auto visited = memory.view<std::int32_t>("visited");
  const auto level = memory.view<std::int32_t>("level");
  std::vector<std::size_t> queue = {0};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::size_t node = queue[head];
    const auto end = static_cast<std::size_t>(row_start[node + 1]);
    for (auto edge = static_cast<std::size_t>(row_start[node]); edge < end; ++edge) {
      const auto other = static_cast<std::size_t>(neighbour[edge]);
      if (visited[other] == 0) {
        visited[other] = 1;
        level[other] = level[node] + 1;
        queue.push_back(other);
      }
    }
  }
}

}  // namespace heddle::references
