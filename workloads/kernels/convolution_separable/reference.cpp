#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void convolution_separable(ReferenceMemory& memory);

void convolution_separable(ReferenceMemory& memory) {
  constexpr int kRadius = 8;
  const double taps[] = {2, 4, 6, 8, 12, 16, 20, 24, 72, 24, 20, 16, 12, 8, 6, 4, 3};  // in 256ths
  const int width = static_cast<int>(memory.size("width"));
  const int height = static_cast<int>(memory.size("height"));
  const auto in = memory.view<float>("in");
  const auto between = memory.view<float>("between");
  const auto out = memory.view<float>("out");
  const auto at = [width](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  };
  Scratch<double> rows(at(0, height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double sum = 0.0;
      for (int k = -kRadius; k <= kRadius; ++k) {
        if (x + k >= 0 && x + k < width) sum += taps[kRadius - k] / 256.0 * in[at(x + k, y)];
      }
      rows[at(x, y)] = sum;
      between[at(x, y)] = static_cast<float>(sum);
    }
  }
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double sum = 0.0;
      for (int k = -kRadius; k <= kRadius; ++k) {
        if (y + k >= 0 && y + k < height) sum += taps[kRadius - k] / 256.0 * rows[at(x, y + k)];
      }
      out[at(x, y)] = static_cast<float>(sum);
    }
  }
}

}  // namespace heddle::references
