#include "../cuda_subset.h"
#include "../prefix_sum.h"

// Sums of all elements before each: blocks of 512 elements in shared memory, then the blocks' sums likewise,
// which are added to the blocks' elements. Shape: ScanLargeArray of the CUDA SDK, with its padding against
// bank conflicts.

// `in` and `out` may be the same array.
extern "C" __global__ void scan(const float* in, float* out, float* sums, int n) {
  __shared__ float elements[kScanWords];
  const int thread = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * kScanElements + thread;
  const int second = first + kScanThreads;
  elements[scan_place(thread)] = first < n ? in[first] : 0.0f;
  elements[scan_place(thread + kScanThreads)] = second < n ? in[second] : 0.0f;
  const float total = scan_block(elements);
  if (thread == 0) {
    sums[blockIdx.x] = total;
  }
  if (first < n) {
    out[first] = elements[scan_place(thread)];
  }
  if (second < n) {
    out[second] = elements[scan_place(thread + kScanThreads)];
  }
}

extern "C" __global__ void add_block_sums(float* out, const float* sums, int n) {
  __shared__ volatile float sum;  // clang may read a plain one before the barrier
  if (threadIdx.x == 0) {
    sum = sums[blockIdx.x];
  }
  __syncthreads();
  const int first = static_cast<int>(blockIdx.x) * kScanElements + static_cast<int>(threadIdx.x);
  const int second = first + kScanThreads;
  if (first < n) {
    out[first] += sum;
  }
  if (second < n) {
    out[second] += sum;
  }
}
