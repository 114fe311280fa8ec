#include "../cuda_subset.h"
#include "../cuda_textures.h"

// k-means of Rodinia: points that lie one after the other, each with its features (point-major), are turned so
// that a feature of all points lies together (dimension-major); then each thread looks for the centre nearest
// to its point, whose features it fetches through the texture cache, and the centres' from constant memory.

constexpr int kMostCentres = 2048;  // features times clusters

__constant__ float centres[kMostCentres];

TEXTURE_REFERENCE(features);

// The lanes of a warp read a point each: their loads are as far apart as a point is long.
extern "C" __global__ void invert_mapping(const float* points, float* inverted, int count, int dimensions) {
  const int point = global_thread_x();
  if (point >= count) {
    return;
  }
  for (int i = 0; i < dimensions; ++i) {
    inverted[point + count * i] = points[point * dimensions + i];
  }
}

extern "C" __global__ void kmeans_texture(int* membership, int count, int dimensions, int clusters) {
  const int point = global_thread_x();
  if (point >= count) {
    return;
  }
  int nearest = -1;
  float least = 3.4e38f;
  for (int cluster = 0; cluster < clusters; ++cluster) {
    float distance = 0.0f;
    for (int i = 0; i < dimensions; ++i) {
      const float difference = fetch_1d_f32(features, point + i * count).x - centres[cluster * dimensions + i];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      nearest = cluster;
    }
  }
  membership[point] = nearest;
}
