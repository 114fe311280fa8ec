#include "../cuda_subset.h"
#include "../prefix_sum.h"

// Sorts 32-bit keys by four bits at a time, as the CUDA SDK's RadixSort (Satish, Harris, Garland): blocks of
// 1024 keys are sorted in shared memory by one bit after the other, a prefix sum over all blocks' numbers of
// keys says where those of each digit go, and they are moved there. 512 threads and 4 KB a thread block: the
// shape of WarpMan's table 2.

constexpr int kThreads = 512;
constexpr int kKeys = 2 * kThreads;
constexpr int kDigits = 16;
constexpr int kBits = 4;

struct __attribute__((aligned(8))) TwoKeys {
  unsigned first;
  unsigned second;
};

// The sum of `value` over all threads before this one; `words` are 2 x 512 in shared memory. Within a warp
// without barriers: its lanes execute each instruction together, as on all GPUs of the time. Each warp has 32
// zeros before its 32 words.
static __device__ __forceinline__ int sum_before(volatile int* words, int value) {
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32;
  const int warp = thread / 32;
  const int place = warp * 64 + 32 + lane;
  words[place - 32] = 0;
  words[place] = value;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    words[place] = words[place] + words[place - distance];
  }
  const int in_warp = words[place];
  __syncthreads();
  if (lane == 31) {
    words[warp + 32] = in_warp;
  }
  if (thread < 32) {
    words[thread] = 0;
  }
  __syncthreads();
  if (thread < 16) {
#pragma unroll
    for (int distance = 1; distance < 16; distance *= 2) {
      words[thread + 32] = words[thread + 32] + words[thread + 32 - distance];
    }
  }
  __syncthreads();
  const int warps_before = words[warp + 31];
  __syncthreads();
  return warps_before + in_warp - value;
}

extern "C" __global__ void sort_blocks(const TwoKeys* in, TwoKeys* out, int first_bit) {
  __shared__ unsigned words[kKeys];
  __shared__ volatile int zeros_of_all;  // clang reads a plain one before the barrier
  const int thread = static_cast<int>(threadIdx.x);
  const int own = static_cast<int>(blockIdx.x) * kThreads + thread;
  TwoKeys keys = in[own];
#pragma unroll 1
  for (int bit = first_bit; bit < first_bit + kBits; ++bit) {
    const int first_zero = static_cast<int>(~keys.first >> bit & 1U);
    const int second_zero = static_cast<int>(~keys.second >> bit & 1U);
    const int zeros = sum_before(reinterpret_cast<volatile int*>(words), first_zero + second_zero);
    if (thread == kThreads - 1) {
      zeros_of_all = zeros + first_zero + second_zero;
    }
    __syncthreads();
    const int ones = zeros_of_all + 2 * thread - zeros;
    words[first_zero != 0 ? zeros : ones] = keys.first;
    words[second_zero != 0 ? zeros + first_zero : ones + 1 - first_zero] = keys.second;
    __syncthreads();
    keys.first = words[2 * thread];
    keys.second = words[2 * thread + 1];
    __syncthreads();
  }
  out[own] = keys;
}

// Where each digit's keys begin in each block, and how many there are, those of one digit side by side.
extern "C" __global__ void find_starts(const unsigned* keys, unsigned* starts, unsigned* counts,
                                       int first_bit) {
  __shared__ unsigned digits[kKeys];
  __shared__ unsigned begin[kDigits];
  __shared__ unsigned end[kDigits];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < kDigits) {
    begin[thread] = 0;
    end[thread] = 0;
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int i = thread + half * kThreads;
    digits[i] = keys[static_cast<int>(blockIdx.x) * kKeys + i] >> first_bit & (kDigits - 1);
  }
  __syncthreads();
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int i = thread + half * kThreads;
    if (i > 0 && digits[i] != digits[i - 1]) {
      begin[digits[i]] = static_cast<unsigned>(i);
      end[digits[i - 1]] = static_cast<unsigned>(i);
    }
  }
  if (thread == 0) {
    end[digits[kKeys - 1]] = kKeys;
  }
  __syncthreads();
  if (thread < kDigits) {
    starts[static_cast<int>(blockIdx.x) * kDigits + thread] = begin[thread];
    counts[thread * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x)] = end[thread] - begin[thread];
  }
}

extern "C" __global__ void scan_counts(unsigned* counts, unsigned* sums, int n) {
  __shared__ unsigned elements[kScanWords];
  const int thread = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * kScanElements + thread;
  const int second = first + kScanThreads;
  elements[scan_place(thread)] = first < n ? counts[first] : 0;
  elements[scan_place(thread + kScanThreads)] = second < n ? counts[second] : 0;
  const unsigned total = scan_block(elements);
  if (thread == 0) {
    sums[blockIdx.x] = total;
  }
  if (first < n) {
    counts[first] = elements[scan_place(thread)];
  }
  if (second < n) {
    counts[second] = elements[scan_place(thread + kScanThreads)];
  }
}

// `counts` are summed within blocks of 512, `sums` over them.
extern "C" __global__ void move_keys(const unsigned* keys, unsigned* out, const unsigned* starts,
                                     const unsigned* counts, const unsigned* sums, int first_bit) {
  __shared__ unsigned begin[kDigits];
  __shared__ unsigned target[kDigits];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < kDigits) {
    const int place = thread * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x);
    begin[thread] = starts[static_cast<int>(blockIdx.x) * kDigits + thread];
    target[thread] = counts[place] + sums[place / kScanElements];
  }
  __syncthreads();
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int i = thread + half * kThreads;
    const unsigned key = keys[static_cast<int>(blockIdx.x) * kKeys + i];
    const unsigned digit = key >> first_bit & (kDigits - 1);
    out[target[digit] + static_cast<unsigned>(i) - begin[digit]] = key;
  }
}
