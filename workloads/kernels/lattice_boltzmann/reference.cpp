#include <algorithm>
#include <array>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void lattice_boltzmann(ReferenceMemory& memory);

namespace {

using Velocity = std::array<int, 3>;

/// All velocities of length 0, 1 and the root of 2, in the order of the kernel's arrays.
constexpr std::array<Velocity, 19> kVelocities = {{{0, 0, 0},
                                                   {1, 0, 0},
                                                   {-1, 0, 0},
                                                   {0, 1, 0},
                                                   {0, -1, 0},
                                                   {0, 0, 1},
                                                   {0, 0, -1},
                                                   {1, 1, 0},
                                                   {-1, -1, 0},
                                                   {1, -1, 0},
                                                   {-1, 1, 0},
                                                   {1, 0, 1},
                                                   {-1, 0, -1},
                                                   {1, 0, -1},
                                                   {-1, 0, 1},
                                                   {0, 1, 1},
                                                   {0, -1, -1},
                                                   {0, 1, -1},
                                                   {0, -1, 1}}};

double weight(const Velocity& v) {
  const int length = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  return length == 0 ? 1.0 / 3.0 : (length == 1 ? 1.0 / 18.0 : 1.0 / 36.0);
}

}  // namespace

void lattice_boltzmann(ReferenceMemory& memory) {
  const std::size_t nx = memory.size("nx");
  const std::size_t rows = memory.size("ny");
  const std::size_t planes = memory.size("nz");
  const std::size_t stride = memory.size("stride");
  const std::size_t first = memory.size("first");
  const auto pitch = memory.parameter("pitch");
  const auto plane = memory.parameter("plane");
  const auto flags = memory.view<std::uint32_t>("flags");
  auto now = memory.view<float>("before");
  auto then = memory.view<float>("after");
  for (std::size_t step = 0; step < memory.size("steps"); ++step) {
    for (std::size_t i = 0; i < flags.size; ++i) {
      const std::size_t x = i % static_cast<std::size_t>(pitch);
      if (x >= nx || i >= rows * planes * static_cast<std::size_t>(pitch)) continue;
      std::array<double, 19> f{};
      double density = 0.0;
      std::array<double, 3> flow{};
      for (std::size_t d = 0; d < f.size(); ++d) {
        f[d] = now[d * stride + first + i];
        density += f[d];
        for (std::size_t axis = 0; axis < 3; ++axis) flow[axis] += kVelocities[d][axis] * f[d];
      }
      for (double& component : flow) component /= density;
      if (flags[i] == 2) flow = {0.005, 0.002, 0.0};
      const double energy = flow[0] * flow[0] + flow[1] * flow[1] + flow[2] * flow[2];
      for (std::size_t d = 0; d < f.size(); ++d) {
        const Velocity& v = kVelocities[d];
        double value = 0.0;
        if (flags[i] == 1) {
          const Velocity back = {-v[0], -v[1], -v[2]};
          const auto opposite = std::find(kVelocities.begin(), kVelocities.end(), back) - kVelocities.begin();
          value = f[static_cast<std::size_t>(opposite)];
        } else {
          const double along = v[0] * flow[0] + v[1] * flow[1] + v[2] * flow[2];
          const double balanced =
              weight(v) * density * (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * energy);
          value = f[d] + 1.95 * (balanced - f[d]);
        }
        const std::int64_t to =
            static_cast<std::int64_t>(d * stride + first + i) + v[0] + v[1] * pitch + v[2] * plane;
        then[static_cast<std::size_t>(to)] = static_cast<float>(value);
      }
    }
    std::swap(now, then);
  }
  // The names are swapped with the steps: the result belongs to `before`.
  const auto result = memory.view<float>("before");
  if (now.data != result.data) std::swap_ranges(result.begin(), result.end(), now.begin());
}

}  // namespace heddle::references
