#include "../cuda_subset.h"

constexpr int kTile = 16;

// c = a * b for a batch of n x n matrices of any n. A block computes a tile of one c from tiles of a and b that
// it stages in shared memory. At the rims of a matrix tiles are fragments: threads of rows beyond the matrix end
// at once, and the others stage their share of b; lanes of columns beyond it stage zeros and store nothing.
extern "C" __global__ void matrix_fragments(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int first_row = blockIdx.y * kTile;
  const int rows = n - first_row < kTile ? n - first_row : kTile;
  if (y >= rows) {
    return;
  }
  const int column = blockIdx.x * kTile + x;
  const bool inside = column < n;
  const int matrix = blockIdx.z * n * n;
  const float* const row_a = a + matrix + (first_row + y) * n;
  const float* const column_b = b + matrix + column;
  float sum = 0.0f;
  for (int start = 0; start < n; start += kTile) {
    tile_a[y][x] = start + x < n ? row_a[start + x] : 0.0f;
    for (int k = y; k < kTile; k += rows) {
      tile_b[k][x] = inside && start + k < n ? column_b[(start + k) * n] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) {
      sum += tile_a[y][k] * tile_b[k][x];
    }
    __syncthreads();
  }
  if (inside) {
    c[matrix + (first_row + y) * n + column] = sum;
  }
}
