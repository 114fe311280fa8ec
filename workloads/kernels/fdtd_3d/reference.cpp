#include <algorithm>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void fdtd_3d(ReferenceMemory& memory);

void fdtd_3d(ReferenceMemory& memory) {
  constexpr std::size_t kRadius = 4;
  constexpr std::size_t kFirst = 28;
  const double weights[] = {0.25, 1 / 16.0, 1 / 32.0, 1 / 64.0, 1 / 64.0};
  const std::size_t nx = memory.size("nx");
  const std::size_t ny = memory.size("ny");
  const std::size_t nz = memory.size("nz");
  const std::size_t pitch = nx + 2 * kRadius;
  const std::size_t plane = pitch * (ny + 2 * kRadius);
  const auto cells = memory.view<float>("now");
  Scratch<double> now(cells.begin(), cells.end());
  Scratch<double> then(cells.begin(), cells.end());
  for (std::size_t step = 0; step < memory.size("steps"); ++step) {
    for (std::size_t z = kRadius; z < nz + kRadius; ++z) {
      for (std::size_t y = kRadius; y < ny + kRadius; ++y) {
        for (std::size_t x = kRadius; x < nx + kRadius; ++x) {
          const std::size_t i = kFirst + z * plane + y * pitch + x;
          double value = weights[0] * now[i];
          for (std::size_t k = 1; k <= kRadius; ++k) {
            for (const std::size_t away : {k, k * pitch, k * plane})
              value += weights[k] * (now[i - away] + now[i + away]);
          }
          then[i] = value;
        }
      }
    }
    now.swap(then);
  }
  std::transform(now.begin(), now.end(), cells.begin(), [](double v) { return static_cast<float>(v); });
}

}  // namespace heddle::references
