#include <algorithm>
#include <cstdlib>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void sad(ReferenceMemory& memory);

void sad(ReferenceMemory& memory) {
  const auto frame = memory.view<std::uint16_t>("frame");
  const auto before = memory.view<std::uint16_t>("before");
  const auto sums = memory.view<std::uint16_t>("sums");
  const int width = static_cast<int>(memory.positive("width"));
  const int height = static_cast<int>(memory.positive("height"));
  const auto at = [&](int x, int y) {
    return static_cast<std::size_t>(std::clamp(y, 0, height - 1)) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(std::clamp(x, 0, width - 1));
  };
  std::size_t block = 0;
  for (int top = 0; top + 4 <= height; top += 4) {
    for (int left = 0; left + 4 <= width; left += 4, ++block) {
      std::size_t out = block * 1096;
      for (int dy = -16; dy <= 16; ++dy) {
        for (int dx = -16; dx <= 16; ++dx) {
          int sum = 0;
          for (int i = 0; i < 16; ++i) {
            const int x = left + i % 4;
            const int y = top + i / 4;
            sum += std::abs(int{frame[at(x, y)]} - int{before[at(x + dx, y + dy)]});
          }
          sums[out++] = static_cast<std::uint16_t>(sum);
        }
      }
    }
  }
}

}  // namespace heddle::references
