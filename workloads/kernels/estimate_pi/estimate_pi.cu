#include "../cuda_subset.h"

constexpr int kThreads = 256;

// A thread's generator in memory, 48 bytes as cuRAND's XORWOW has it.
struct Generator {
  unsigned x[5];
  unsigned count;
  unsigned unused[6];
};

// One number of Marsaglia's xorwow (Xorshift RNGs, 2003, 3.1).
static __device__ __forceinline__ unsigned next_number(Generator& g) {
  const unsigned t = g.x[0] ^ (g.x[0] >> 2);
  g.x[0] = g.x[1];
  g.x[1] = g.x[2];
  g.x[2] = g.x[3];
  g.x[3] = g.x[4];
  g.x[4] = (g.x[4] ^ (g.x[4] << 4)) ^ (t ^ (t << 1));
  g.count += 362437u;
  return g.x[4] + g.count;
}

// In (0, 1], 24 bits.
static __device__ __forceinline__ float next_uniform(Generator& g) {
  return static_cast<float>((next_number(g) >> 8) + 1u) * (1.0f / 16777216.0f);
}

// Two kernels of the CUDA SDK's EstimatePiInlineP. The first gives every thread a generator of its own, from
// its number, and lets it run a while so that neighbours part.
extern "C" __global__ void init_generators(Generator* generators, unsigned seed) {
  const unsigned thread = static_cast<unsigned>(global_thread_x());
  Generator g{};
  unsigned mixed = thread ^ seed;
#pragma unroll
  for (int i = 0; i < 5; ++i) {
    mixed = mixed * 1664525u + 1013904223u;
    g.x[i] = (mixed ^ mixed >> 15) | 1u;
  }
  g.count = 6615241u;
#pragma unroll 1
  for (int i = 0; i < 16; ++i) {
    next_number(g);
  }
  // The unused words stay as they are.
  Generator& own = generators[thread];
#pragma unroll
  for (int i = 0; i < 5; ++i) {
    own.x[i] = g.x[i];
  }
  own.count = g.count;
}

// The second throws points into a square and counts those in the quarter of a circle, of a TB by a tree in
// shared memory.
extern "C" __global__ void estimate_pi(const Generator* generators, unsigned* inside, int rounds) {
  __shared__ unsigned sum[kThreads];
  Generator g = generators[global_thread_x()];
  unsigned met = 0;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    const float x = next_uniform(g);
    const float y = next_uniform(g);
    const float square = y * y;
    if (x * x + square <= 1.0f) {
      ++met;
    }
  }
  const unsigned t = threadIdx.x;
  sum[t] = met;
  __syncthreads();
#pragma unroll 1
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) {
      sum[t] += sum[t + half];
    }
    __syncthreads();
  }
  if (t == 0) {
    inside[blockIdx.x] = sum[0];
  }
}
