#include "../cuda_subset.h"

constexpr int kAccumulators = 1024;

// Dot products of `pairs` pairs of vectors, a block for each pair: 1024 partial sums in shared memory, then
// a tree reduction with a barrier per step.
extern "C" __global__ void scalar_product(float* out, const float* a, const float* b, int pairs, int length) {
  __shared__ float partial[kAccumulators];
  const int thread = threadIdx.x;
  const int threads = blockDim.x;
#pragma unroll 1
  for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
    const int start = length * pair;
    const int end = start + length;
#pragma unroll 1
    for (int k = thread; k < kAccumulators; k += threads) {
      float sum = 0.0f;
#pragma unroll 1
      for (int position = start + k; position < end; position += kAccumulators) {
        sum += a[position] * b[position];
      }
      partial[k] = sum;
    }
#pragma unroll 1
    for (int stride = kAccumulators / 2; stride > 0; stride /= 2) {
      __syncthreads();
#pragma unroll 1
      for (int k = thread; k < stride; k += threads) {
        partial[k] += partial[stride + k];
      }
    }
    __syncthreads();
    if (thread == 0) {
      out[pair] = partial[0];
    }
    __syncthreads();
  }
}
