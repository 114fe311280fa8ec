#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void kmeans_texture(ReferenceMemory& memory);

void kmeans_texture(ReferenceMemory& memory) {
  const std::size_t count = memory.positive("count");
  const std::size_t dimensions = memory.positive("dimensions");
  const std::size_t clusters = memory.positive("clusters");
  const auto points = memory.view<float>("points");
  const auto inverted = memory.view<float>("inverted");
  const auto centres = memory.view<float>("centres");
  const auto membership = memory.view<std::int32_t>("membership");
  for (std::size_t point = 0; point < count; ++point) {
    for (std::size_t i = 0; i < dimensions; ++i) inverted[i * count + point] = points[point * dimensions + i];
    float least = 3.4e38F;
    for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
      float distance = 0.0F;
      for (std::size_t i = 0; i < dimensions; ++i) {
        const float difference = points[point * dimensions + i] - centres[cluster * dimensions + i];
        distance = std::fma(difference, difference, distance);
      }
      if (distance < least) {
        least = distance;
        membership[point] = static_cast<std::int32_t>(cluster);
      }
    }
  }
}

}  // namespace heddle::references
