#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void dct8x8(ReferenceMemory& memory);

// By the definition: a sum over the block's 64 pixels for each coefficient. What comes back is the image.
void dct8x8(ReferenceMemory& memory) {
  constexpr std::size_t kSide = 8;
  const std::size_t width = memory.size("width");
  const std::size_t height = memory.size("height");
  const auto image = memory.view<float>("image");
  const auto coefficients = memory.view<float>("coefficients");
  const auto restored = memory.view<float>("restored");
  double wave[kSide][kSide];
  for (std::size_t k = 0; k < kSide; ++k) {
    for (std::size_t i = 0; i < kSide; ++i) {
      const double angle =
          (2.0 * static_cast<double>(i) + 1.0) * static_cast<double>(k) * std::acos(-1.0) / 16.0;
      wave[k][i] = std::sqrt(k == 0 ? 0.125 : 0.25) * std::cos(angle);
    }
  }
  for (std::size_t top = 0; top + kSide <= height; top += kSide) {
    for (std::size_t left = 0; left + kSide <= width; left += kSide) {
      for (std::size_t v = 0; v < kSide; ++v) {
        for (std::size_t u = 0; u < kSide; ++u) {
          double sum = 0.0;
          for (std::size_t y = 0; y < kSide; ++y) {
            for (std::size_t x = 0; x < kSide; ++x) {
              sum += wave[v][y] * wave[u][x] * image[(top + y) * width + left + x];
            }
          }
          coefficients[(top + v) * width + left + u] = static_cast<float>(sum);
          restored[(top + v) * width + left + u] = image[(top + v) * width + left + u];
        }
      }
    }
  }
}

}  // namespace heddle::references
