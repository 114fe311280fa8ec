#include "../cuda_subset.h"

// Speckle-reducing anisotropic diffusion of an image, as in Rodinia: per iteration the mean and the variance
// of the image by a tree of additions, then a diffusion coefficient per pixel, then the diffusion itself.
// Thread blocks of 512 threads and 4 KB for the tree: the shape of WarpMan's table 2.

constexpr int kThreads = 512;
constexpr int kTileX = 32;
constexpr int kTileY = 16;

// What is added up: pixels and their squares.
extern "C" __global__ void srad_prepare(const float* image, float* sums, float* squares, int n) {
  const int i = global_thread_x();
  if (i < n) {
    const float value = image[i];
    sums[i] = value;
    squares[i] = value * value;
  }
}

// Sums of 512 elements each. The threads that add are ever further apart, so that all warps stay and diverge.
extern "C" __global__ void srad_reduce(const float* sums, const float* squares, float* block_sums,
                                       float* block_squares, int n) {
  __shared__ float tree_sums[kThreads];
  __shared__ float tree_squares[kThreads];
  const int thread = static_cast<int>(threadIdx.x);
  const int i = global_thread_x();
  tree_sums[thread] = i < n ? sums[i] : 0.0f;
  tree_squares[thread] = i < n ? squares[i] : 0.0f;
  __syncthreads();
#pragma unroll 1
  for (int width = 2; width <= kThreads; width *= 2) {
    if ((thread + 1) % width == 0) {
      tree_sums[thread] += tree_sums[thread - width / 2];
      tree_squares[thread] += tree_squares[thread - width / 2];
    }
    __syncthreads();
  }
  if (thread == kThreads - 1) {
    block_sums[blockIdx.x] = tree_sums[thread];
    block_squares[blockIdx.x] = tree_squares[thread];
  }
}

static __device__ __forceinline__ int at_most(int value, int limit) { return value < limit ? value : limit; }
static __device__ __forceinline__ int not_negative(int value) { return value > 0 ? value : 0; }

// The diffusion coefficient of every pixel and its differences from its four neighbours.
extern "C" __global__ void srad1(const float* image, const float* sum, const float* square,
                                 float* coefficient, float* north, float* south, float* west, float* east,
                                 int columns, int rows) {
  __shared__ float tile[kTileY + 2][kTileX + 2];
  const int x = static_cast<int>(threadIdx.x) + 1;
  const int y = static_cast<int>(threadIdx.y) + 1;
  const int column = static_cast<int>(blockIdx.x) * kTileX + x - 1;
  const int row = static_cast<int>(blockIdx.y) * kTileY + y - 1;
  const int pixel = row * columns + column;
  tile[y][x] = image[pixel];
  if (y == 1) {
    tile[0][x] = image[not_negative(row - 1) * columns + column];
  }
  if (y == kTileY) {
    tile[kTileY + 1][x] = image[at_most(row + 1, rows - 1) * columns + column];
  }
  if (x == 1) {
    tile[y][0] = image[row * columns + not_negative(column - 1)];
  }
  if (x == kTileX) {
    tile[y][kTileX + 1] = image[row * columns + at_most(column + 1, columns - 1)];
  }
  __syncthreads();
  const float pixels = static_cast<float>(columns) * static_cast<float>(rows);
  const float mean = sum[0] / pixels;
  const float speckle = (square[0] / pixels - mean * mean) / (mean * mean);

  const float value = tile[y][x];
  const float to_north = tile[y - 1][x] - value;
  const float to_south = tile[y + 1][x] - value;
  const float to_west = tile[y][x - 1] - value;
  const float to_east = tile[y][x + 1] - value;
  const float gradient =
      (to_north * to_north + to_south * to_south + to_west * to_west + to_east * to_east) / (value * value);
  const float laplacian = (to_north + to_south + to_west + to_east) / value;
  const float numerator = 0.5f * gradient - 0.0625f * laplacian * laplacian;
  const float denominator = 1.0f + 0.25f * laplacian;
  const float variation = numerator / (denominator * denominator);
  const float excess = (variation - speckle) / (speckle * (1.0f + speckle));
  float diffusion = 1.0f / (1.0f + excess);
  if (diffusion < 0.0f) {
    diffusion = 0.0f;
  } else if (diffusion > 1.0f) {
    diffusion = 1.0f;
  }
  coefficient[pixel] = diffusion;
  north[pixel] = to_north;
  south[pixel] = to_south;
  west[pixel] = to_west;
  east[pixel] = to_east;
}

// Diffuses: a pixel's own coefficient counts for north and west, its neighbours' for south and east.
extern "C" __global__ void srad2(float* image, const float* coefficient, const float* north,
                                 const float* south, const float* west, const float* east, float lambda,
                                 int columns, int rows) {
  __shared__ float tile[kTileY + 1][kTileX + 1];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * kTileX + x;
  const int row = static_cast<int>(blockIdx.y) * kTileY + y;
  const int pixel = row * columns + column;
  tile[y][x] = coefficient[pixel];
  if (y == kTileY - 1) {
    tile[kTileY][x] = coefficient[at_most(row + 1, rows - 1) * columns + column];
  }
  if (x == kTileX - 1) {
    tile[y][kTileX] = coefficient[row * columns + at_most(column + 1, columns - 1)];
  }
  __syncthreads();
  const float own = tile[y][x];
  const float divergence =
      own * north[pixel] + tile[y + 1][x] * south[pixel] + own * west[pixel] + tile[y][x + 1] * east[pixel];
  image[pixel] += 0.25f * lambda * divergence;
}
