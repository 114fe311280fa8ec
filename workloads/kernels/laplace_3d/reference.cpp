#include <algorithm>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void laplace_3d(ReferenceMemory& memory);

void laplace_3d(ReferenceMemory& memory) {
  const std::size_t nx = memory.size("nx");
  const std::size_t ny = memory.size("ny");
  const std::size_t nz = memory.size("nz");
  const std::size_t plane = nx * ny;
  const auto cells = memory.view<float>("before");
  Scratch<double> now(cells.begin(), cells.end());
  Scratch<double> then(cells.begin(), cells.end());  // faces stay
  for (std::size_t step = 0; step < memory.size("steps"); ++step) {
    for (std::size_t z = 1; z + 1 < nz; ++z) {
      for (std::size_t y = 1; y + 1 < ny; ++y) {
        for (std::size_t x = 1; x + 1 < nx; ++x) {
          const std::size_t i = z * plane + y * nx + x;
          then[i] =
              (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx] + now[i - plane] + now[i + plane]) / 6.0;
        }
      }
    }
    now.swap(then);
  }
  std::transform(now.begin(), now.end(), cells.begin(), [](double v) { return static_cast<float>(v); });
}

}  // namespace heddle::references
