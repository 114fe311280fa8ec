#include "../cuda_subset.h"

// c + |a - b|
static __device__ __forceinline__ unsigned add_difference(unsigned a, unsigned b, unsigned c) {
  unsigned result;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
  return result;
}

static __device__ __forceinline__ int clamp(int value, int high) {
  return value < 0 ? 0 : (value > high ? high : value);
}

constexpr int kBlock = 4;
constexpr int kRange = 16;
constexpr int kSide = 2 * kRange + 1;
constexpr int kPositions = kSide * kSide;
constexpr int kPaddedPositions = 1096;
constexpr int kPositionsPerThread = 18;

// Motion estimation of a video encoder: sums of absolute differences between each block of 4 x 4 pixels of a
// frame and the 33 x 33 blocks around its place in the frame before. A thread block of 61 threads has one
// block of pixels, in shared memory; a thread makes 18 positions, one after the other. Shape: mb_sad_calc of
// Parboil and ERCBench.
extern "C" __global__ void sad(const unsigned short* frame, const unsigned short* before,
                               unsigned short* sums, int width, int height) {
  __shared__ unsigned pixels[kBlock * kBlock];
  const int thread = static_cast<int>(threadIdx.x);
  const int left = static_cast<int>(blockIdx.x) * kBlock;
  const int top = static_cast<int>(blockIdx.y) * kBlock;
  if (thread < kBlock * kBlock) {
    pixels[thread] = frame[(top + thread / kBlock) * width + left + thread % kBlock];
  }
  __syncthreads();
  const int first = thread * kPositionsPerThread;
  const int end = first + kPositionsPerThread < kPositions ? first + kPositionsPerThread : kPositions;
  int to_x = first % kSide - kRange;
  int to_y = first / kSide - kRange;
  unsigned short* out = sums + (blockIdx.y * gridDim.x + blockIdx.x) * kPaddedPositions;
#pragma unroll 1
  for (int position = first; position < end; ++position) {
    unsigned sum = 0;
#pragma unroll
    for (int y = 0; y < kBlock; ++y) {
      const unsigned short* row = before + clamp(top + to_y + y, height - 1) * width;
#pragma unroll
      for (int x = 0; x < kBlock; ++x) {
        sum = add_difference(row[clamp(left + to_x + x, width - 1)], pixels[y * kBlock + x], sum);
      }
    }
    out[position] = static_cast<unsigned short>(sum);
    if (++to_x > kRange) {
      to_x = -kRange;
      ++to_y;
    }
  }
}
