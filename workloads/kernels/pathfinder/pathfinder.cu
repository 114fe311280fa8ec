#include "../cuda_subset.h"

constexpr int kThreads = 256;

static __device__ __forceinline__ int smaller(int a, int b) { return a < b ? a : b; }

// Cheapest paths through a grid of costs, row after row: each cell adds its cost to the cheapest of the
// three cells above. A block of 256 threads does `rows` rows of 256 - 2 rows columns; its rim shrinks by
// one cell a row.
extern "C" __global__ void pathfinder(const int* cost, const int* before, int* after, int columns,
                                      int first_row, int rows) {
  __shared__ int path[kThreads];
  const int x = threadIdx.x;
  const int column = static_cast<int>(blockIdx.x) * (kThreads - 2 * rows) - rows + x;
  const bool inside = column >= 0 && column < columns;
  int best = 0;
  if (inside) {
    best = before[column];
    path[x] = best;
  }
  __syncthreads();
  bool owned = inside;
#pragma unroll 1
  for (int step = 1; step <= rows; ++step) {
    owned = inside && x >= step && x < kThreads - step;
    if (owned) {
      const int left = path[column > 0 ? x - 1 : x];
      const int right = path[column < columns - 1 ? x + 1 : x];
      best = smaller(best, smaller(left, right)) + cost[(first_row + step - 1) * columns + column];
    }
    __syncthreads();
    if (owned) {
      path[x] = best;
    }
    __syncthreads();
  }
  if (owned) {
    after[column] = best;
  }
}
