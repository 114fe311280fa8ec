#include "../cuda_subset.h"

// x1 += A y1 and x2 += A^T y2 for an n x n matrix in row order: a divergent and a coalesced walk of the
// same matrix that do not depend on each other.

extern "C" __global__ void mvt_rows(const float* a, float* x1, const float* y1, int n) {
  const int row = global_thread_x();
  if (row < n) {
    float sum = x1[row];
#pragma unroll 1
    for (int column = 0; column < n; ++column) {
      sum += a[row * n + column] * y1[column];
    }
    x1[row] = sum;
  }
}

extern "C" __global__ void mvt_columns(const float* a, float* x2, const float* y2, int n) {
  const int column = global_thread_x();
  if (column < n) {
    float sum = x2[column];
#pragma unroll 1
    for (int row = 0; row < n; ++row) {
      sum += a[row * n + column] * y2[row];
    }
    x2[column] = sum;
  }
}
