#include "../cuda_subset.h"
#include "../cuda_textures.h"

// Convolution of an image with 17 taps along its rows, then along its columns, each tap a fetch from a
// two-dimensional array whose coordinates are clamped. Between the two the rows' result is copied to the array.
// Shape: convolutionTexture of the CUDA SDK.

constexpr int kRadius = 8;

__constant__ float taps[2 * kRadius + 1] = {0.0078125f, 0.015625f, 0.0234375f, 0.03125f,  0.046875f,  0.0625f,
                                            0.078125f,  0.09375f,  0.28125f,   0.09375f,  0.078125f,  0.0625f,
                                            0.046875f,  0.03125f,  0.0234375f, 0.015625f, 0.01171875f};

TEXTURE_REFERENCE(picture);

extern "C" __global__ void convolution_rows(float* out, int width, int height) {
  const int column = global_thread_x();
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (column >= width || row >= height) {
    return;
  }
  const float x = static_cast<float>(column) + 0.5f;
  const float y = static_cast<float>(row) + 0.5f;
  float sum = 0.0f;
#pragma unroll
  for (int k = -kRadius; k <= kRadius; ++k) {
    sum += taps[kRadius - k] * sample_2d_f32(picture, x + static_cast<float>(k), y).x;
  }
  out[row * width + column] = sum;
}

extern "C" __global__ void convolution_columns(float* out, int width, int height) {
  const int column = global_thread_x();
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (column >= width || row >= height) {
    return;
  }
  const float x = static_cast<float>(column) + 0.5f;
  const float y = static_cast<float>(row) + 0.5f;
  float sum = 0.0f;
#pragma unroll
  for (int k = -kRadius; k <= kRadius; ++k) {
    sum += taps[kRadius - k] * sample_2d_f32(picture, x, y + static_cast<float>(k)).x;
  }
  out[row * width + column] = sum;
}
