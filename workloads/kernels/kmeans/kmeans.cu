#include "../cuda_subset.h"

// The assignment step of k-means: each thread finds the nearest of `clusters` centres for its point. Points
// are stored feature by feature, so that a warp reads neighbours; all lanes read the same centre.
extern "C" __global__ void kmeans_assign(const float* points, const float* centres, int* membership,
                                         float* distance, int count, int features, int clusters) {
  const int point = global_thread_x();
  if (point < count) {
    int nearest = 0;
    float smallest = 3.4e38f;
#pragma unroll 1
    for (int cluster = 0; cluster < clusters; ++cluster) {
      float sum = 0.0f;
#pragma unroll 1
      for (int feature = 0; feature < features; ++feature) {
        const float d = points[feature * count + point] - centres[cluster * features + feature];
        sum += d * d;
      }
      if (sum < smallest) {
        smallest = sum;
        nearest = cluster;
      }
    }
    membership[point] = nearest;
    distance[point] = smallest;
  }
}
