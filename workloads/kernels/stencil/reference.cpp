#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void stencil(ReferenceMemory& memory);

void stencil(ReferenceMemory& memory) {
  const auto in = memory.view<float>("in");
  const auto out = memory.view<float>("out");
  const std::size_t nx = memory.size("nx");
  const std::size_t ny = memory.size("ny");
  const std::size_t nz = memory.size("nz");
  const std::size_t plane = nx * ny;
  for (std::size_t z = 1; z + 1 < nz; ++z) {
    for (std::size_t y = 1; y + 1 < ny; ++y) {
      for (std::size_t x = 1; x + 1 < nx; ++x) {
        const std::size_t i = z * plane + y * nx + x;
        double around = 0;
        for (const std::size_t j : {i - plane, i + plane, i - 1, i + 1, i - nx, i + nx}) {
          around += static_cast<double>(in[j]);
        }
        out[i] = static_cast<float>(0.5 * static_cast<double>(in[i]) + 0.0625 * around);
      }
    }
  }
}

}  // namespace heddle::references
