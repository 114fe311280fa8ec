#include "../cuda_subset.h"

// y = A^T (A x) for an n x n matrix in row order, as two kernels.

// A thread walks a row: the lanes of a warp are n elements apart, so every load touches 32 lines, of which
// the next iterations use the rest.
extern "C" __global__ void atax_rows(const float* a, const float* x, float* t, int n) {
  const int row = global_thread_x();
  if (row < n) {
    float sum = 0.0f;
#pragma unroll 1
    for (int column = 0; column < n; ++column) {
      sum += a[row * n + column] * x[column];
    }
    t[row] = sum;
  }
}

// A thread walks a column: the lanes of a warp read neighbours, one line per load.
extern "C" __global__ void atax_columns(const float* a, const float* t, float* y, int n) {
  const int column = global_thread_x();
  if (column < n) {
    float sum = 0.0f;
#pragma unroll 1
    for (int row = 0; row < n; ++row) {
      sum += a[row * n + column] * t[row];
    }
    y[column] = sum;
  }
}
