#include "../cuda_subset.h"
#include "../cuda_textures.h"

// Non-local means with one set of weights per block of 8 x 8 pixels: its threads compare the block's middle
// with the 7 x 7 neighbours of it, by the difference of the windows of 7 x 7 pixels around both; then each
// thread adds up its own 7 x 7 neighbours by these weights, and mixes the sum with the pixel itself by how
// many of them are alike. Shape: NLM2 of imageDenoising of the CUDA SDK.

constexpr int kRadius = 3;
constexpr int kWindow = 2 * kRadius + 1;
constexpr int kBlock = 8;
constexpr float kLog2E = 1.44269504f;
constexpr float kWeightThreshold = 0.1f;
constexpr float kAlikeThreshold = 0.1f * kWindow * kWindow;

TEXTURE_REFERENCE(picture);

extern "C" __global__ void non_local_means(unsigned* out, int width, int height, float noise, float mix) {
  __shared__ float weights[kBlock * kBlock];
  const int tx = static_cast<int>(threadIdx.x);
  const int ty = static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * kBlock + tx;
  const int row = static_cast<int>(blockIdx.y) * kBlock + ty;
  const float x = static_cast<float>(column) + 0.5f;
  const float y = static_cast<float>(row) + 0.5f;
  const float middle_x = static_cast<float>(static_cast<int>(blockIdx.x) * kBlock + kRadius) + 0.5f;
  const float middle_y = static_cast<float>(static_cast<int>(blockIdx.y) * kBlock + kRadius) + 0.5f;
  const int dx = tx - kRadius;
  const int dy = ty - kRadius;

  float difference = 0.0f;
  for (int j = -kRadius; j <= kRadius; ++j) {
    for (int i = -kRadius; i <= kRadius; ++i) {
      const float u = middle_x + static_cast<float>(i);
      const float v = middle_y + static_cast<float>(j);
      const TexelF32 a = sample_2d_f32(picture, u, v);
      const TexelF32 b = sample_2d_f32(picture, u + static_cast<float>(dx), v + static_cast<float>(dy));
      difference += (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z);
    }
  }
  const float distance = static_cast<float>(dx * dx + dy * dy) / (kWindow * kWindow);
  weights[ty * kBlock + tx] = approx_exp2(-(difference * noise + distance) * kLog2E);
  __syncthreads();

  if (column >= width || row >= height) {
    return;
  }
  float red = 0.0f;
  float green = 0.0f;
  float blue = 0.0f;
  float sum = 0.0f;
  float alike = 0.0f;
  for (int j = 0; j < kWindow; ++j) {
    for (int i = 0; i < kWindow; ++i) {
      const float weight = weights[j * kBlock + i];
      const TexelF32 neighbour =
          sample_2d_f32(picture, x + static_cast<float>(i - kRadius), y + static_cast<float>(j - kRadius));
      red += neighbour.x * weight;
      green += neighbour.y * weight;
      blue += neighbour.z * weight;
      sum += weight;
      alike += weight > kWeightThreshold ? 1.0f : 0.0f;
    }
  }
  const float part = alike > kAlikeThreshold ? mix : 1.0f - mix;
  const TexelF32 own = sample_2d_f32(picture, x, y);
  red = approx_divide(red, sum);
  green = approx_divide(green, sum);
  blue = approx_divide(blue, sum);
  red += (own.x - red) * part;
  green += (own.y - green) * part;
  blue += (own.z - blue) * part;
  out[row * width + column] = static_cast<unsigned>(red * 255.0f + 0.5f) |
                              static_cast<unsigned>(green * 255.0f + 0.5f) << 8 |
                              static_cast<unsigned>(blue * 255.0f + 0.5f) << 16;
}
