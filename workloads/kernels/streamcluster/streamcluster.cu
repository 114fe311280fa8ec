#include "../cuda_subset.h"

// A point as Rodinia's streamcluster keeps it, 32 bytes: the place of its coordinates' pointer is not used.
struct Point {
  float weight;
  float unused0[3];
  float assigned;  // the point that is its centre, as a number
  float unused1;
  float cost;
  float unused2;
};

// What it would save to open a centre at point `candidate` (Rodinia's kernel_compute_cost, a thread a point):
// coordinates are read dimension by dimension, whole lines by a warp; points and the rows of `savings`, one
// per point with a place per centre and one for the candidate, lie apart.
extern "C" __global__ void streamcluster(const float* coordinates, const Point* points,
                                         const int* centre_number, float* savings, unsigned char* switches,
                                         int count, int dimensions, int centres, int candidate) {
  const int point = global_thread_x();
  if (point < count) {
    float distance = 0.0f;
#pragma unroll 1
    for (int d = 0; d < dimensions; ++d) {
      const float difference = coordinates[d * count + point] - coordinates[d * count + candidate];
      distance += difference * difference;
    }
    const float cost = distance * points[point].weight;
    const float present = points[point].cost;
    float* own = savings + point * (centres + 1);
    if (cost < present) {
      switches[point] = 1;
      own[centres] += cost - present;
    } else {
      own[centre_number[static_cast<int>(points[point].assigned)]] += cost - present;
    }
  }
}
