#include <algorithm>
#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void particle_filter(ReferenceMemory& memory);

namespace {

float noise(std::uint32_t& seed) {
  int sum = -510;
  for (int i = 0; i < 4; ++i) {
    seed = seed * 1664525U + 1013904223U;
    sum += static_cast<int>(seed >> 24U);
  }
  return static_cast<float>(sum) * (1.0F / 148.0F);
}

/// The polynomial for 2^part, of which 2^x times 8192 is made.
std::uint32_t weight_of(float x) {
  if (x < -13.0F) return 0;
  const float whole = std::trunc(x) - 1.0F;
  const float part = x - whole;
  float power = 0.0135F;
  for (const float coefficient : {0.0520F, 0.2414F, 0.6931F, 1.0F})
    power = std::fma(part, power, coefficient);
  return static_cast<std::uint32_t>(power * 8192.0F) >> static_cast<unsigned>(-whole);
}

/// The pixel at a position, at most one window outside the frame. A particle far outside sees the frame's
/// edge, as does one that is at no number.
int pixel_of(float position, int side, int width) {
  const float beyond = static_cast<float>(side) + static_cast<float>(width);
  return std::isnan(position) ? 0
                              : static_cast<int>(std::floor(std::clamp(position, -beyond, beyond) + 0.5F));
}

}  // namespace

void particle_filter(ReferenceMemory& memory) {
  const auto video = memory.view<std::uint8_t>("video");
  const auto xs = memory.view<float>("xs");
  const auto ys = memory.view<float>("ys");
  const auto seeds = memory.view<std::uint32_t>("seeds");
  const auto weights = memory.view<std::uint32_t>("weights");
  const auto sums_up_to = memory.view<std::uint32_t>("sums_up_to");
  const auto side = static_cast<int>(memory.positive("side"));
  const auto width = static_cast<int>(memory.positive("width"));
  const std::size_t count = xs.size;
  const std::size_t pitch = memory.positive("side");
  const std::size_t frame_pixels = pitch * pitch;
  for (std::size_t frame = 0; frame < memory.size("frames"); ++frame) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      xs[i] = std::fma(noise(seeds[i]), 5.0F, xs[i] + 1.0F);
      ys[i] = std::fma(noise(seeds[i]), 2.0F, ys[i] - 2.0F);
      const int column = pixel_of(xs[i], side, width);
      const int row = pixel_of(ys[i], side, width);
      int bright = 0;
      for (int y = row - width / 2; y < row - width / 2 + width; ++y) {
        for (int x = column - width / 2; x < column - width / 2 + width; ++x) {
          bright +=
              video[frame * frame_pixels + static_cast<std::size_t>(std::clamp(y, 0, side - 1)) * pitch +
                    static_cast<std::size_t>(std::clamp(x, 0, side - 1))];
        }
      }
      const float mean = static_cast<float>(bright) / static_cast<float>(width * width);
      weights[i] = weight_of(std::min((mean - 228.0F) * 0.125F, 0.0F));
      sum += weights[i];
      sums_up_to[i] = sum;
    }
    const std::uint64_t share = (std::uint64_t{sum} << 16U) / count;
    Scratch<float> drawn_xs(count);
    Scratch<float> drawn_ys(count);
    std::size_t from = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t place = (i * share + share / 2) >> 16U;
      while (from + 1 < count && sums_up_to[from] <= place) ++from;
      drawn_xs[i] = xs[from];
      drawn_ys[i] = ys[from];
    }
    std::copy(drawn_xs.begin(), drawn_xs.end(), xs.begin());
    std::copy(drawn_ys.begin(), drawn_ys.end(), ys.begin());
  }
}

}  // namespace heddle::references
