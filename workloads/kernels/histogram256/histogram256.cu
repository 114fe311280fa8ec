#include "../cuda_subset.h"

// Counts bytes into 256 bins. A thread block has several tables of 256 counters in shared memory, each for
// some of its warps, which they change by atomics. Shape: histogram256Kernel and mergeHistogram256Kernel of
// the CUDA SDK.

constexpr int kBins = 256;

extern "C" __global__ void histogram256(const unsigned* data, unsigned* partial, int words, int tables) {
  extern __shared__ unsigned counters[];
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  unsigned* own = counters + thread / 32 % tables * kBins;
#pragma unroll 1
  for (int i = thread; i < tables * kBins; i += threads) {
    counters[i] = 0;
  }
  __syncthreads();
  const int stride = threads * static_cast<int>(gridDim.x);
#pragma unroll 1
  for (int i = global_thread_x(); i < words; i += stride) {
    const unsigned word = data[i];
    atomicAdd(&own[word & 255U], 1U);
    atomicAdd(&own[(word >> 8) & 255U], 1U);
    atomicAdd(&own[(word >> 16) & 255U], 1U);
    atomicAdd(&own[word >> 24], 1U);
  }
  __syncthreads();
#pragma unroll 1
  for (int bin = thread; bin < kBins; bin += threads) {
    unsigned sum = 0;
#pragma unroll 1
    for (int table = 0; table < tables; ++table) {
      sum += counters[table * kBins + bin];
    }
    partial[static_cast<int>(blockIdx.x) * kBins + bin] = sum;
  }
}

constexpr int kMergeThreads = 256;

// One thread block adds up one bin.
extern "C" __global__ void merge_histogram256(const unsigned* partial, unsigned* counts, int histograms) {
  __shared__ unsigned sums[kMergeThreads];
  const int thread = static_cast<int>(threadIdx.x);
  unsigned sum = 0;
#pragma unroll 1
  for (int i = thread; i < histograms; i += kMergeThreads) {
    sum += partial[i * kBins + static_cast<int>(blockIdx.x)];
  }
  sums[thread] = sum;
#pragma unroll 1
  for (int width = kMergeThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (thread < width) {
      sums[thread] += sums[thread + width];
    }
  }
  if (thread == 0) {
    counts[blockIdx.x] = sums[0];
  }
}
