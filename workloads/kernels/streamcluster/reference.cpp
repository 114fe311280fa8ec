#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void streamcluster(ReferenceMemory& memory);

// In floats with fused multiply-adds, as the kernel: a distance rounded otherwise could change who switches.
void streamcluster(ReferenceMemory& memory) {
  const std::size_t count = memory.positive("count");
  const std::size_t centres = memory.size("centres");
  const auto coordinates = memory.view<float>("coordinates");
  const auto points = memory.view<float>("points");
  const auto centre_number = memory.view<std::int32_t>("centre_number");
  const auto savings = memory.view<float>("savings");
  const auto switches = memory.view<std::uint8_t>("switches");
  for (std::size_t k = 0; k < memory.size("candidates"); ++k) {
    const std::size_t candidate = 997 * k % count;
    for (std::size_t point = 0; point < count; ++point) {
      float distance = 0.0F;
      for (std::size_t d = 0; d < memory.size("dimensions"); ++d) {
        const float difference = coordinates[d * count + point] - coordinates[d * count + candidate];
        distance = std::fma(difference, difference, distance);
      }
      const float weight = points[8 * point];
      const float present = points[8 * point + 6];
      const float cost = distance * weight;
      const bool switched = cost < present;
      const std::size_t place =
          switched ? centres : static_cast<std::size_t>(centre_number[index_of(points[8 * point + 4])]);
      savings[point * (centres + 1) + place] += cost - present;
      if (switched) switches[point] = 1;
    }
  }
}

}  // namespace heddle::references
