#include "../cuda_subset.h"

constexpr int kTile = 16;

static __device__ __forceinline__ int clamp(int value, int high) {
  return value < 0 ? 0 : (value > high ? high : value);
}

// Advances the temperatures of an n x n grid by `steps` time steps. A block loads a tile with a rim of
// `steps` cells, which it uses up one cell a step, and writes the (16 - 2 steps)^2 cells in the middle.
extern "C" __global__ void hotspot(const float* power, const float* before, float* after, int n, int steps) {
  __shared__ float tile[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int inner = kTile - 2 * steps;
  const int column = static_cast<int>(blockIdx.x) * inner - steps + x;
  const int row = static_cast<int>(blockIdx.y) * inner - steps + y;
  const int cell = clamp(row, n - 1) * n + clamp(column, n - 1);
  const bool inside = row >= 0 && row < n && column >= 0 && column < n;
  const float heat = power[cell];
  float value = before[cell];
  tile[y][x] = value;
  __syncthreads();
  bool owned = inside;
#pragma unroll 1
  for (int step = 1; step <= steps; ++step) {
    owned = inside && x >= step && x < kTile - step && y >= step && y < kTile - step;
    if (owned) {
      const float north = tile[row > 0 ? y - 1 : y][x];
      const float south = tile[row < n - 1 ? y + 1 : y][x];
      const float west = tile[y][column > 0 ? x - 1 : x];
      const float east = tile[y][column < n - 1 ? x + 1 : x];
      value += 0.1f * (north + south - 2.0f * value) + 0.1f * (west + east - 2.0f * value) + 0.05f * heat +
               0.01f * (80.0f - value);
    }
    __syncthreads();
    if (owned) {
      tile[y][x] = value;
    }
    __syncthreads();
  }
  if (owned) {
    after[cell] = value;
  }
}
