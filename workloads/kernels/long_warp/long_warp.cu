#include "../cuda_subset.h"

// The first warp of each block works for `rounds` rounds, the others are done at once.
extern "C" __global__ void long_warp(unsigned* values, int rounds) {
  const int i = global_thread_x();
  unsigned value = static_cast<unsigned>(i);
  if (threadIdx.x < 32) {
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
      value = value * 1664525U + 1013904223U;
    }
  }
  values[i] = value;
}
