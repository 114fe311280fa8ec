#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void kmeans(ReferenceMemory& memory);

// In floats with fused multiply-adds, as the kernel: a distance rounded otherwise could change the winner.
void kmeans(ReferenceMemory& memory) {
  const std::size_t count = memory.size("count");
  const std::size_t features = memory.size("features");
  const auto points = memory.view<float>("points");
  const auto centres = memory.view<float>("centres");
  const auto membership = memory.view<std::int32_t>("membership");
  const auto distance = memory.view<float>("distance");
  for (std::size_t point = 0; point < count; ++point) {
    float smallest = 3.4e38F;
    for (std::size_t cluster = 0; cluster < memory.size("clusters"); ++cluster) {
      float sum = 0.0F;
      for (std::size_t feature = 0; feature < features; ++feature) {
        const float d = points[feature * count + point] - centres[cluster * features + feature];
        sum = std::fma(d, d, sum);
      }
      if (sum < smallest) {
        smallest = sum;
        membership[point] = static_cast<std::int32_t>(cluster);
      }
    }
    distance[point] = smallest;
  }
}

}  // namespace heddle::references
