#include <algorithm>
#include <array>
#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void non_local_means(ReferenceMemory& memory);

namespace {

constexpr int kRadius = 3;
constexpr int kWindow = 2 * kRadius + 1;
constexpr int kBlock = 8;
constexpr double kNoise = 1.0 / (1.45 * 1.45);
constexpr double kMix = 0.2;

struct Picture {
  View<std::uint8_t> bytes;
  int width;
  int height;
  /// 0 to 1; what lies beyond the rim is what lies on it.
  double at(int x, int y, int colour) const {
    const int row = std::clamp(y, 0, height - 1);
    return bytes[static_cast<std::size_t>(4 * (row * width + std::clamp(x, 0, width - 1)) + colour)] / 255.0;
  }
};

/// How alike the windows around (x, y) and around the pixel (dx, dy) from there are.
double weight(const Picture& picture, int x, int y, int dx, int dy) {
  double difference = 0.0;
  for (int j = -kRadius; j <= kRadius; ++j) {
    for (int i = -kRadius; i <= kRadius; ++i) {
      for (int colour = 0; colour < 3; ++colour) {
        difference +=
            std::pow(picture.at(x + i, y + j, colour) - picture.at(x + i + dx, y + j + dy, colour), 2.0);
      }
    }
  }
  return std::exp(-(difference * kNoise + (dx * dx + dy * dy) / double{kWindow * kWindow}));
}

}  // namespace

void non_local_means(ReferenceMemory& memory) {
  const Picture picture{memory.view<std::uint8_t>("image"), static_cast<int>(memory.positive("width")),
                        static_cast<int>(memory.positive("height"))};
  const auto out = memory.view<std::uint8_t>("out");
  for (int block_y = 0; block_y < picture.height; block_y += kBlock) {
    for (int block_x = 0; block_x < picture.width; block_x += kBlock) {
      std::array<double, kWindow * kWindow> weights{};
      double sum = 0.0;
      int alike = 0;
      for (int k = 0; k < kWindow * kWindow; ++k) {
        const double one = weight(picture, block_x + kRadius, block_y + kRadius, k % kWindow - kRadius,
                                  k / kWindow - kRadius);
        weights.at(static_cast<std::size_t>(k)) = one;
        sum += one;
        if (one > 0.1) ++alike;
      }
      const double part = alike > 0.1 * kWindow * kWindow ? kMix : 1.0 - kMix;
      for (int y = block_y; y < std::min(block_y + kBlock, picture.height); ++y) {
        for (int x = block_x; x < std::min(block_x + kBlock, picture.width); ++x) {
          for (int colour = 0; colour < 3; ++colour) {
            double mean = 0.0;
            for (int k = 0; k < kWindow * kWindow; ++k) {
              mean += weights.at(static_cast<std::size_t>(k)) / sum *
                      picture.at(x + k % kWindow - kRadius, y + k / kWindow - kRadius, colour);
            }
            mean += (picture.at(x, y, colour) - mean) * part;
            out[static_cast<std::size_t>(4 * (y * picture.width + x) + colour)] =
                static_cast<std::uint8_t>(mean * 255.0 + 0.5);
          }
        }
      }
    }
  }
}

}  // namespace heddle::references
