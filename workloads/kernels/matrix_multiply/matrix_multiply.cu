#include "../cuda_subset.h"

constexpr int kTile = 16;

// c = a * b for n x n matrices, n a multiple of the tile. A block computes a tile of c from tiles of a and
// b that it stages in shared memory.
extern "C" __global__ void matrix_multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int column = blockIdx.x * kTile + x;
  float sum = 0.0f;
  for (int start = 0; start < n; start += kTile) {
    tile_a[y][x] = a[row * n + start + x];
    tile_b[y][x] = b[(start + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) {
      sum += tile_a[y][k] * tile_b[k][x];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}
