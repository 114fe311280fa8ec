#include "../cuda_subset.h"

constexpr int kMostOptions = 1024;
constexpr int kTile = 256;               // nodes of a level in shared memory, one per thread
constexpr int kLevels = 32;              // that a tile goes down before it is written back
constexpr int kAdvance = kTile - kLevels;  // nodes of a tile that know all they need for that

__constant__ float c_price[kMostOptions];
__constant__ float c_strike[kMostOptions];
__constant__ float c_growth[kMostOptions];  // of the logarithm of the price in a step up
__constant__ float c_up[kMostOptions];      // probabilities of a step up and down, discounted by a step
__constant__ float c_down[kMostOptions];

// Prices European calls by a binomial tree, one option per thread block, as the CUDA SDK's binomialOptions
// does: the last level's values are in memory, and tiles of them go down 32 levels at a time in shared memory,
// with a barrier after each.
extern "C" __global__ void binomial_options(float* levels, float* values, int steps) {
  __shared__ float even[kTile + 1];
  __shared__ float odd[kTile + 1];
  const int option = static_cast<int>(blockIdx.x);
  const int node = static_cast<int>(threadIdx.x);
  float* level = levels + option * (steps + 1);
  const float up = c_up[option];
  const float down = c_down[option];
#pragma unroll 1
  for (int i = node; i <= steps; i += kTile) {
    const float log2_growth = 1.4426950408889634f * c_growth[option] * static_cast<float>(2 * i - steps);
    const float gain = c_price[option] * approx_exp2(log2_growth) - c_strike[option];
    level[i] = gain > 0.0f ? gain : 0.0f;
  }
#pragma unroll 1
  for (int top = steps; top > 0; top -= kLevels) {
#pragma unroll 1
    for (int base = 0; base < top; base += kAdvance) {
      const int last = top - base < kTile - 1 ? top - base : kTile - 1;
      __syncthreads();
      if (node <= last) {
        even[node] = level[base + node];
      }
#pragma unroll 1
      for (int k = last; k > last - kLevels; k -= 2) {
        __syncthreads();
        if (node < k) {
          odd[node] = up * even[node + 1] + down * even[node];
        }
        __syncthreads();
        if (node < k - 1) {
          even[node] = up * odd[node + 1] + down * odd[node];
        }
      }
      __syncthreads();
      if (node <= last - kLevels) {
        level[base + node] = even[node];
      }
    }
  }
  if (node == 0) {
    values[option] = even[0];
  }
}
