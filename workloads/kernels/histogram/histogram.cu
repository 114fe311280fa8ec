#include "../cuda_subset.h"

constexpr int kBins = 256;

// Counts the bytes of `words` 32-bit words: a histogram per block by atomics on shared memory, then added to
// the result by atomics on global memory.
extern "C" __global__ void histogram(const unsigned* data, unsigned* counts, int words) {
  __shared__ unsigned local[kBins];
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
    local[bin] = 0;
  }
  __syncthreads();
  const int stride = static_cast<int>(blockDim.x * gridDim.x);
#pragma unroll 1
  for (int i = global_thread_x(); i < words; i += stride) {
    const unsigned word = data[i];
    atomicAdd(&local[word & 255U], 1U);
    atomicAdd(&local[(word >> 8) & 255U], 1U);
    atomicAdd(&local[(word >> 16) & 255U], 1U);
    atomicAdd(&local[word >> 24], 1U);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
    atomicAdd(&counts[bin], local[bin]);
  }
}
