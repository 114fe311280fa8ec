#include "../cuda_subset.h"

// c += a b for a matrix a of rows x inner and a matrix b of inner x columns. The element of c is read and
// written in every round, as in PolyBench's 3MM: the compiler can't know that c is neither a nor b.
extern "C" __global__ void three_matrix_multiply(const float* a, const float* b, float* c, int rows,
                                                 int inner, int columns) {
  const int column = global_thread_x();
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (row < rows && column < columns) {
#pragma unroll 1
    for (int k = 0; k < inner; ++k) {
      c[row * columns + column] += a[row * inner + k] * b[k * columns + column];
    }
  }
}
