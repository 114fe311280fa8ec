#include "../cuda_subset.h"

// The two matrix products of the biconjugate gradient method: s = A^T r (coalesced) and q = A p (divergent)
// for an n x n matrix in row order.

extern "C" __global__ void bicg_s(const float* a, const float* r, float* s, int n) {
  const int column = global_thread_x();
  if (column < n) {
    float sum = 0.0f;
#pragma unroll 1
    for (int row = 0; row < n; ++row) {
      sum += r[row] * a[row * n + column];
    }
    s[column] = sum;
  }
}

extern "C" __global__ void bicg_q(const float* a, const float* p, float* q, int n) {
  const int row = global_thread_x();
  if (row < n) {
    float sum = 0.0f;
#pragma unroll 1
    for (int column = 0; column < n; ++column) {
      sum += a[row * n + column] * p[column];
    }
    q[row] = sum;
  }
}
