#include "../cuda_subset.h"

// Convolution of an image with 17 taps along its rows, then along its columns, zeros beyond the rim. A thread
// makes eight results, from a tile in shared memory with a rim of the filter's radius (rows: 16 pixels, of
// which half are used, so that loads stay aligned). Shape: convolutionSeparable of the CUDA SDK.

constexpr int kRadius = 8;
constexpr int kResults = 8;

__constant__ float taps[2 * kRadius + 1] = {0.0078125f, 0.015625f, 0.0234375f, 0.03125f,  0.046875f,  0.0625f,
                                            0.078125f,  0.09375f,  0.28125f,   0.09375f,  0.078125f,  0.0625f,
                                            0.046875f,  0.03125f,  0.0234375f, 0.015625f, 0.01171875f};

constexpr int kRowX = 16;
constexpr int kRowY = 4;

extern "C" __global__ void convolution_rows(const float* in, float* out, int width) {
  __shared__ float tile[kRowY][(kResults + 2) * kRowX];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int first = (static_cast<int>(blockIdx.x) * kResults - 1) * kRowX + x;  // of the left rim
  const int row = (static_cast<int>(blockIdx.y) * kRowY + y) * width;
#pragma unroll
  for (int i = 1; i <= kResults; ++i) {
    tile[y][x + i * kRowX] = in[row + first + i * kRowX];
  }
  tile[y][x] = first >= 0 ? in[row + first] : 0.0f;
  const int right = first + (kResults + 1) * kRowX;
  tile[y][x + (kResults + 1) * kRowX] = right < width ? in[row + right] : 0.0f;
  __syncthreads();
#pragma unroll
  for (int i = 1; i <= kResults; ++i) {
    float sum = 0.0f;
#pragma unroll
    for (int k = -kRadius; k <= kRadius; ++k) {
      sum += taps[kRadius - k] * tile[y][x + i * kRowX + k];
    }
    out[row + first + i * kRowX] = sum;
  }
}

constexpr int kColumnX = 16;
constexpr int kColumnY = 8;

// A column of pixels is a row of the tile, one element longer than it need be, so that no banks conflict.
extern "C" __global__ void convolution_columns(const float* in, float* out, int width, int height) {
  __shared__ float tile[kColumnX][(kResults + 2) * kColumnY + 1];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * kColumnX + x;
  const int first = (static_cast<int>(blockIdx.y) * kResults - 1) * kColumnY + y;  // of the upper rim
#pragma unroll
  for (int i = 1; i <= kResults; ++i) {
    tile[x][y + i * kColumnY] = in[(first + i * kColumnY) * width + column];
  }
  tile[x][y] = first >= 0 ? in[first * width + column] : 0.0f;
  const int last = first + (kResults + 1) * kColumnY;
  tile[x][y + (kResults + 1) * kColumnY] = last < height ? in[last * width + column] : 0.0f;
  __syncthreads();
#pragma unroll
  for (int i = 1; i <= kResults; ++i) {
    float sum = 0.0f;
#pragma unroll
    for (int k = -kRadius; k <= kRadius; ++k) {
      sum += taps[kRadius - k] * tile[x][y + i * kColumnY + k];
    }
    out[(first + i * kColumnY) * width + column] = sum;
  }
}
