#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void rays(ReferenceMemory& memory);

void rays(ReferenceMemory& memory) {
  const auto wall = memory.view<std::uint8_t>("wall");
  const auto met_and_steps = memory.view<std::uint32_t>("met_and_steps");
  const auto width = static_cast<std::int64_t>(memory.positive("width"));
  const auto size = static_cast<std::int64_t>(memory.size("size"));
  for (std::size_t i = 0; i < met_and_steps.size; ++i) {
    const auto ray = static_cast<std::int64_t>(i);
    std::int64_t x = ray % width * (size * 256 / width);
    std::int64_t y = 0;
    std::int64_t dx = ray % width % 32 * 4 - 62;
    std::int64_t dy = 96 + ray / width % 64;
    std::int64_t met = 0;
    std::int64_t steps = 0;
    while (steps < memory.parameter("most_steps") && met < memory.parameter("most_walls")) {
      x += dx;
      y += dy;
      if (x < 0 || y < 0 || x >= size * 256 || y >= size * 256) break;
      const std::uint8_t kind = wall[static_cast<std::size_t>(y / 256) * static_cast<std::size_t>(size) +
                                     static_cast<std::size_t>(x / 256)];
      if (kind == 1) dx = -dx;
      if (kind == 2) dy = -dy;
      met += kind == 0 ? 0 : 1;
      ++steps;
    }
    met_and_steps[i] = static_cast<std::uint32_t>(met * 65536 + steps);
  }
}

}  // namespace heddle::references
