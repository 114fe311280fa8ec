#include <algorithm>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void convolution_texture(ReferenceMemory& memory);

// What lies beyond the rim is what lies on it.
void convolution_texture(ReferenceMemory& memory) {
  constexpr int kRadius = 8;
  const double taps[] = {2, 4, 6, 8, 12, 16, 20, 24, 72, 24, 20, 16, 12, 8, 6, 4, 3};  // in 256ths
  const int width = static_cast<int>(memory.size("width"));
  const int height = static_cast<int>(memory.size("height"));
  const auto image = memory.view<float>("image");
  const auto rows = memory.view<float>("rows");
  const auto out = memory.view<float>("out");
  const auto at = [width, height](int x, int y) {
    return static_cast<std::size_t>(std::clamp(y, 0, height - 1)) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(std::clamp(x, 0, width - 1));
  };
  Scratch<double> exact_rows(rows.size);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double sum = 0.0;
      for (int k = -kRadius; k <= kRadius; ++k) sum += taps[kRadius - k] / 256.0 * image[at(x + k, y)];
      exact_rows[at(x, y)] = sum;
      rows[at(x, y)] = static_cast<float>(sum);
    }
  }
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double sum = 0.0;
      for (int k = -kRadius; k <= kRadius; ++k) sum += taps[kRadius - k] / 256.0 * exact_rows[at(x, y + k)];
      out[at(x, y)] = static_cast<float>(sum);
    }
  }
}

}  // namespace heddle::references
