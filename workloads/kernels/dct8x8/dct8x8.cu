#include "../cuda_subset.h"

// Discrete cosine transform of an image's blocks of 8 x 8 pixels, and back, as JPEG does: a thread block of
// 64 threads makes a block by two products of 8 x 8 matrices in shared memory. Shape: CUDAkernel1DCT and
// CUDAkernel1IDCT of the CUDA SDK and of ERCBench's JPEG.

constexpr int kSide = 8;

// Row k is the cosine of k half periods over the block, of length 1.
__constant__ float basis[kSide * kSide] = {
    0.35355339f,  0.35355339f,  0.35355339f,  0.35355339f,  0.35355339f,  0.35355339f,  0.35355339f,
    0.35355339f,  0.49039264f,  0.41573481f,  0.27778512f,  0.09754516f,  -0.09754516f, -0.27778512f,
    -0.41573481f, -0.49039264f, 0.46193977f,  0.19134172f,  -0.19134172f, -0.46193977f, -0.46193977f,
    -0.19134172f, 0.19134172f,  0.46193977f,  0.41573481f,  -0.09754516f, -0.49039264f, -0.27778512f,
    0.27778512f,  0.49039264f,  0.09754516f,  -0.41573481f, 0.35355339f,  -0.35355339f, -0.35355339f,
    0.35355339f,  0.35355339f,  -0.35355339f, -0.35355339f, 0.35355339f,  0.27778512f,  -0.49039264f,
    0.09754516f,  0.41573481f,  -0.41573481f, -0.09754516f, 0.49039264f,  -0.27778512f, 0.19134172f,
    -0.46193977f, 0.46193977f,  -0.19134172f, -0.19134172f, 0.46193977f,  -0.46193977f, 0.19134172f,
    0.09754516f,  -0.27778512f, 0.41573481f,  -0.49039264f, 0.49039264f,  -0.41573481f, 0.27778512f,
    -0.09754516f};

// basis * block * basis^T
extern "C" __global__ void forward_dct8x8(const float* image, float* coefficients, int width) {
  __shared__ float block[kSide * kSide];
  __shared__ float half_done[kSide * kSide];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int pixel =
      (static_cast<int>(blockIdx.y) * kSide + y) * width + static_cast<int>(blockIdx.x) * kSide + x;
  block[y * kSide + x] = image[pixel];
  __syncthreads();
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kSide; ++k) {
    sum += basis[y * kSide + k] * block[k * kSide + x];
  }
  half_done[y * kSide + x] = sum;
  __syncthreads();
  sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kSide; ++k) {
    sum += half_done[y * kSide + k] * basis[x * kSide + k];
  }
  coefficients[pixel] = sum;
}

// basis^T * block * basis
extern "C" __global__ void inverse_dct8x8(const float* coefficients, float* image, int width) {
  __shared__ float block[kSide * kSide];
  __shared__ float half_done[kSide * kSide];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int pixel =
      (static_cast<int>(blockIdx.y) * kSide + y) * width + static_cast<int>(blockIdx.x) * kSide + x;
  block[y * kSide + x] = coefficients[pixel];
  __syncthreads();
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kSide; ++k) {
    sum += basis[k * kSide + y] * block[k * kSide + x];
  }
  half_done[y * kSide + x] = sum;
  __syncthreads();
  sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kSide; ++k) {
    sum += half_done[y * kSide + k] * basis[k * kSide + x];
  }
  image[pixel] = sum;
}
