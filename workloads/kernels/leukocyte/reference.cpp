#include <algorithm>
#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void leukocyte(ReferenceMemory& memory);

namespace {

constexpr std::size_t kThreads = 320;
constexpr std::size_t kRows = 41;
constexpr std::size_t kColumns = 81;
constexpr std::size_t kPixels = kRows * kColumns;

float pull(float flow, float difference, float direction) {
  const float step = std::clamp(std::fma(difference * direction, 25.0F, 0.5F), 0.0F, 1.0F);
  return std::fma(step, difference, flow);
}

/// One iteration; returns the sum of changes, added up in the order of the thread block.
float relax(Scratch<float>& now, Scratch<float>& then, const View<float>& windows, std::size_t first) {
  constexpr float kVx = 1.0F;
  constexpr float kVy = 1.0F;
  Scratch<float> changes(kThreads);
  for (std::size_t pixel = 0; pixel < kPixels; ++pixel) {
    const std::size_t row = pixel / kColumns;
    const std::size_t column = pixel % kColumns;
    const float old = now[pixel];
    const auto difference = [&](int down, int right) {
      const std::size_t r = down < 0 ? row - std::min<std::size_t>(row, 1)
                                     : std::min(row + static_cast<std::size_t>(down), kRows - 1);
      const std::size_t c = right < 0 ? column - std::min<std::size_t>(column, 1)
                                      : std::min(column + static_cast<std::size_t>(right), kColumns - 1);
      return now[r * kColumns + c] - old;
    };
    float flow = 0.0F;
    for (const int down : {-1, 0, 1}) {
      for (const int right : {-1, 0, 1}) {
        if (down == 0 && right == 0) continue;
        flow = pull(flow, difference(down, right),
                    static_cast<float>(right) * kVx + static_cast<float>(down) * kVy);
      }
    }
    const float image = windows[first + pixel];
    const float drawn = std::fma(0.5F * 0.2F, flow, old);
    then[pixel] = std::fma(-0.2F * image, drawn - image, drawn);
    changes[pixel % kThreads] += std::abs(then[pixel] - old);
  }
  for (std::size_t half = 256; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half && i + half < kThreads; ++i) changes[i] += changes[i + half];
  }
  return changes[0];
}

}  // namespace

// The same float operations in the same order.
void leukocyte(ReferenceMemory& memory) {
  const auto windows = memory.view<float>("windows");
  const auto fields = memory.view<float>("fields");
  const auto iterations = memory.view<std::int32_t>("iterations");
  const std::size_t most = memory.positive("most_iterations");
  const float least_change = 1.0F / static_cast<float>(memory.positive("fineness"));
  for (std::size_t cell = 0; cell < iterations.size; ++cell) {
    const std::size_t first = cell * kPixels;
    Scratch<float> now(kPixels);
    Scratch<float> then(kPixels);
    for (std::size_t pixel = 0; pixel < kPixels; ++pixel) now[pixel] = windows[first + pixel];
    float change = 0.0F;
    std::size_t count = 0;
    do {
      change = relax(now, then, windows, first);
      now.swap(then);
      ++count;
    } while (change >= least_change * static_cast<float>(kPixels) && count < most);
    for (std::size_t pixel = 0; pixel < kPixels; ++pixel) fields[first + pixel] = now[pixel];
    iterations[cell] = static_cast<std::int32_t>(count);
  }
}

}  // namespace heddle::references
