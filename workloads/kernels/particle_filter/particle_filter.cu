#include "../cuda_subset.h"
#include "../prefix_sum.h"

// A particle filter that follows a bright disc through a video, as Rodinia's: particles move at random, are
// weighed by the pixels around them, and are drawn anew by their weights. Weights are whole numbers, so that
// their sums are the same in every order.

constexpr int kThreads = 512;
constexpr int kFractionBits = 16;

static __device__ __forceinline__ float noise(unsigned* seed) {
  int sum = -510;
  for (int i = 0; i < 4; ++i) {
    *seed = *seed * 1664525u + 1013904223u;
    sum += static_cast<int>(*seed >> 24);
  }
  return static_cast<float>(sum) * (1.0f / 148.0f);
}

static __device__ __forceinline__ int inside(int coordinate, int side) {
  return coordinate < 0 ? 0 : coordinate < side ? coordinate : side - 1;
}

// 2^x times 8192, of x up to 0, in whole numbers.
static __device__ __forceinline__ unsigned weight_of(float x) {
  if (x < -13.0f) {
    return 0;
  }
  const int whole = static_cast<int>(x) - 1;
  const float part = x - static_cast<float>(whole);  // from 0 to 1
  float power = __builtin_fmaf(part, 0.0135f, 0.0520f);
  power = __builtin_fmaf(part, power, 0.2414f);
  power = __builtin_fmaf(part, power, 0.6931f);
  power = __builtin_fmaf(part, power, 1.0f);
  return static_cast<unsigned>(power * 8192.0f) >> -whole;
}

// Where the pixels around a particle lie is written and read back, a particle's one after the other: what the
// lanes of a warp access is as far apart as a particle has pixels.
extern "C" __global__ void likelihood(float* xs, float* ys, unsigned* seeds, const int* offsets,
                                      const unsigned char* frame, int* places, unsigned* weights,
                                      unsigned* sums, int count, int pixels, int side) {
  __shared__ unsigned partial[kThreads];
  const int particle = global_thread_x();
  unsigned weight = 0;
  if (particle < count) {
    unsigned seed = seeds[particle];
    const float x = __builtin_fmaf(noise(&seed), 5.0f, xs[particle] + 1.0f);
    const float y = __builtin_fmaf(noise(&seed), 2.0f, ys[particle] - 2.0f);
    seeds[particle] = seed;
    xs[particle] = x;
    ys[particle] = y;
    const int column = static_cast<int>(__builtin_floorf(x + 0.5f));
    const int row = static_cast<int>(__builtin_floorf(y + 0.5f));
    int* own = places + particle * pixels;
#pragma unroll 1
    for (int i = 0; i < pixels; ++i) {
      own[i] = inside(row + offsets[2 * i + 1], side) * side + inside(column + offsets[2 * i], side);
    }
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < pixels; ++i) {
      sum += frame[own[i]];
    }
    const float mean = static_cast<float>(sum) / static_cast<float>(pixels);
    weight = weight_of(mean < 228.0f ? (mean - 228.0f) * 0.125f : 0.0f);
    weights[particle] = weight;
  }
  partial[threadIdx.x] = weight;
#pragma unroll 1
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      partial[threadIdx.x] += partial[threadIdx.x + half];
    }
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = partial[0];
  }
}

// Sums of the blocks before each, at most 512 blocks; and how much weight a particle that is drawn stands
// for.
extern "C" __global__ void scan_sums(unsigned* sums, unsigned long long* share, int blocks, int count) {
  __shared__ unsigned elements[kScanWords];
  const int first = static_cast<int>(threadIdx.x);
  const int second = first + kScanThreads;
  elements[scan_place(first)] = first < blocks ? sums[first] : 0;
  elements[scan_place(second)] = second < blocks ? sums[second] : 0;
  const unsigned total = scan_block(elements);
  if (first == 0) {
    *share = (static_cast<unsigned long long>(total) << kFractionBits) / static_cast<unsigned>(count);
  }
  if (first < blocks) {
    sums[first] = elements[scan_place(first)];
  }
  if (second < blocks) {
    sums[second] = elements[scan_place(second)];
  }
}

// Sums of all weights up to each.
extern "C" __global__ void accumulate(const unsigned* weights, const unsigned* sums, unsigned* sums_up_to,
                                      int count) {
  __shared__ unsigned elements[kScanWords];
  const int thread = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * kScanElements + thread;
  const int second = first + kScanThreads;
  const unsigned first_weight = first < count ? weights[first] : 0;
  const unsigned second_weight = second < count ? weights[second] : 0;
  elements[scan_place(thread)] = first_weight;
  elements[scan_place(thread + kScanThreads)] = second_weight;
  scan_block(elements);
  const unsigned before = sums[blockIdx.x];
  if (first < count) {
    sums_up_to[first] = before + elements[scan_place(thread)] + first_weight;
  }
  if (second < count) {
    sums_up_to[second] = before + elements[scan_place(thread + kScanThreads)] + second_weight;
  }
}

// Draws at even distances along the weights: each thread searches whose weight its place lies in.
extern "C" __global__ void find_index(const unsigned* sums_up_to, const unsigned long long* share,
                                      const float* xs, const float* ys, float* drawn_xs, float* drawn_ys,
                                      int count) {
  const int particle = global_thread_x();
  if (particle >= count) {
    return;
  }
  const unsigned long long each = *share;
  const unsigned place =
      static_cast<unsigned>((static_cast<unsigned>(particle) * each + each / 2) >> kFractionBits);
  int low = 0;
  int high = count - 1;
#pragma unroll 1
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sums_up_to[middle] > place) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  drawn_xs[particle] = xs[low];
  drawn_ys[particle] = ys[low];
}
