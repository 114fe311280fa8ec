#include "../cuda_subset.h"

constexpr unsigned kThreads = 512;
constexpr unsigned kKeys = 2 * kThreads;

// Each block sorts its 1024 keys in shared memory: a barrier before every step of compare and exchange.
extern "C" __global__ void bitonic_sort(unsigned* keys) {
  __shared__ unsigned key[kKeys];
  const unsigned t = threadIdx.x;
  unsigned* own = keys + blockIdx.x * kKeys;
  key[t] = own[t];
  key[t + kThreads] = own[t + kThreads];
#pragma unroll 1
  for (unsigned size = 2; size <= kKeys; size *= 2) {
#pragma unroll 1
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned low = 2 * t - (t & (stride - 1));
      const unsigned high = low + stride;
      const unsigned first = key[low];
      const unsigned second = key[high];
      if ((first > second) == ((low & size) == 0)) {
        key[low] = second;
        key[high] = first;
      }
    }
  }
  __syncthreads();
  own[t] = key[t];
  own[t + kThreads] = key[t + kThreads];
}
