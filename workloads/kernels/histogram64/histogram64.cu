#include "../cuda_subset.h"

// Counts the upper six bits of bytes, without atomics: each of a thread block's 64 threads has 64 counters of
// a byte in shared memory, 4 KB together. Shape: histogram64Kernel and mergeHistogram64Kernel of the CUDA
// SDK.

constexpr int kBins = 64;
constexpr int kThreads = 64;

struct __attribute__((aligned(16))) FourWords {
  unsigned word[4];
};

static __device__ __forceinline__ void count_bytes(unsigned char* own, unsigned word) {
  ++own[(word >> 2 & 63U) * kThreads];
  ++own[(word >> 10 & 63U) * kThreads];
  ++own[(word >> 18 & 63U) * kThreads];
  ++own[(word >> 26) * kThreads];
}

// A thread counts at most 15 times 16 bytes, so that no counter overflows. A bin's 64 counters lie side by
// side, and the byte of a thread in them is chosen so that 16 neighbouring threads have 16 banks.
extern "C" __global__ void histogram64(const FourWords* data, unsigned* partial, int elements) {
  __shared__ unsigned char counters[kBins * kThreads];
  const int thread = static_cast<int>(threadIdx.x);
  const int byte = (thread & 15) * 4 + thread / 16;
#pragma unroll
  for (int i = 0; i < kBins / 4; ++i) {
    reinterpret_cast<unsigned*>(counters)[thread + i * kThreads] = 0;
  }
  __syncthreads();
  const int stride = static_cast<int>(gridDim.x) * kThreads;
#pragma unroll 1
  for (int i = global_thread_x(); i < elements; i += stride) {
    const FourWords words = data[i];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      count_bytes(counters + byte, words.word[k]);
    }
  }
  __syncthreads();
  unsigned sum = 0;  // of bin `thread`; neighbours begin at different words
#pragma unroll 4
  for (int i = 0; i < kThreads / 4; ++i) {
    const unsigned char* four = counters + thread * kThreads + ((thread + i) & 15) * 4;
    sum += four[0] + four[1] + four[2] + four[3];
  }
  partial[static_cast<int>(blockIdx.x) * kBins + thread] = sum;
}

constexpr int kMergeThreads = 256;

// One thread block adds up one bin.
extern "C" __global__ void merge_histogram64(const unsigned* partial, unsigned* counts, int histograms) {
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
