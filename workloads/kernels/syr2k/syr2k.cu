#include "../cuda_subset.h"

// c = alpha (A B^T + B A^T) + beta c for n x m matrices A and B in row order, a thread an element of c: the
// lanes of a warp share a row of A and of B and walk 32 others. The element of c is read and written in every
// round, as in PolyBench's SYR2K.
extern "C" __global__ void syr2k(const float* a, const float* b, float* c, float alpha, float beta, int n,
                                 int m) {
  const int column = global_thread_x();
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (row < n && column < n) {
    c[row * n + column] *= beta;
#pragma unroll 1
    for (int k = 0; k < m; ++k) {
      c[row * n + column] +=
          alpha * a[row * m + k] * b[column * m + k] + alpha * b[row * m + k] * a[column * m + k];
    }
  }
}
