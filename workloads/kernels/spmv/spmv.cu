#include "../cuda_subset.h"

// y = A x for a sparse matrix in compressed rows, a thread per row: rows of different lengths leave lanes
// idle, and x is read at random.
extern "C" __global__ void spmv(const int* row_start, const int* column, const float* value, const float* x,
                                float* y, int rows) {
  const int row = global_thread_x();
  if (row < rows) {
    const int end = row_start[row + 1];
    float sum = 0.0f;
#pragma unroll 1
    for (int k = row_start[row]; k < end; ++k) {
      sum += value[k] * x[column[k]];
    }
    y[row] = sum;
  }
}
