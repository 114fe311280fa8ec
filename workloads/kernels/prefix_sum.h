// A prefix sum by one thread block, for kernels that need one. Include cuda_subset.h first.
#pragma once

constexpr int kScanThreads = 256;
constexpr int kScanElements = 2 * kScanThreads;
constexpr int kScanWords = kScanElements + kScanElements / 32;

// Where element i lies: a word is left out after every 32, so that strides of powers of two don't share a
// bank.
static __device__ __forceinline__ int scan_place(int i) { return i + i / 32; }

// Turns the 512 elements at `elements` (kScanWords in shared memory), which the threads have just stored
// there, into the sums of those before each, and gives thread 0 the sum of all: up a tree of partial sums and
// down again.
template <typename T>
static __device__ __forceinline__ T scan_block(T* elements) {
  const int thread = static_cast<int>(threadIdx.x);
  int distance = 1;
#pragma unroll 1
  for (int active = kScanThreads; active > 0; active /= 2) {
    __syncthreads();
    if (thread < active) {
      const int left = distance * (2 * thread + 1) - 1;
      elements[scan_place(left + distance)] += elements[scan_place(left)];
    }
    distance *= 2;
  }
  T total = 0;
  if (thread == 0) {
    total = elements[scan_place(kScanElements - 1)];
    elements[scan_place(kScanElements - 1)] = 0;
  }
#pragma unroll 1
  for (int active = 1; active <= kScanThreads; active *= 2) {
    distance /= 2;
    __syncthreads();
    if (thread < active) {
      const int left = distance * (2 * thread + 1) - 1;
      const T before = elements[scan_place(left)];
      elements[scan_place(left)] = elements[scan_place(left + distance)];
      elements[scan_place(left + distance)] += before;
    }
  }
  __syncthreads();
  return total;
}
