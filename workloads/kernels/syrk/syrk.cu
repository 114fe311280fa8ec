#include "../cuda_subset.h"

// c = alpha A A^T + beta c for n x n matrices in row order, one thread per element of c: the lanes of a warp
// share a row of A and walk 32 others.
extern "C" __global__ void syrk(const float* a, float* c, float alpha, float beta, int n) {
  const int column = global_thread_x();
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (row < n && column < n) {
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < n; ++k) {
      sum += a[row * n + k] * a[column * n + k];
    }
    c[row * n + column] = alpha * sum + beta * c[row * n + column];
  }
}
