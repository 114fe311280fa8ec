#include "../cuda_subset.h"

// y = alpha A x + beta B x: a thread walks a row of both matrices, so that every load of them touches 32
// lines, and keeps its two sums in memory, as PolyBench's GESUMMV does.
extern "C" __global__ void gesummv(const float* a, const float* b, const float* x, float* y, float* sums,
                                   float alpha, float beta, int rows, int columns) {
  const int row = global_thread_x();
  if (row < rows) {
#pragma unroll 1
    for (int column = 0; column < columns; ++column) {
      sums[row] += a[row * columns + column] * x[column];
      y[row] += b[row * columns + column] * x[column];
    }
    y[row] = alpha * sums[row] + beta * y[row];
  }
}
