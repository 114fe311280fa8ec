#include "../cuda_subset.h"

// The network for handwritten digits of GPGPU-Sim's suite (NN), a launch per layer, a TB per image and
// feature map or neuron: 29 x 29 pixels, 6 maps of 13 x 13, 50 maps of 5 x 5, 100 neurons, 10 neurons.
// Windows of 5 x 5 move by 2. Weights of a map or neuron lie one after the other, its bias first.

constexpr int kImage = 29;
constexpr int kMaps1 = 6;
constexpr int kSide1 = 13;
constexpr int kMaps2 = 50;
constexpr int kSide2 = 5;
constexpr int kNeurons3 = 100;
constexpr int kNeurons4 = 10;
constexpr int kWindow = 25;
constexpr int kInputs3 = kMaps2 * kSide2 * kSide2;

// Where the window's 25 elements lie in a row-major picture.
struct Window {
  short offset[kWindow];
};

constexpr Window make_window(int side) {
  Window window{};
  for (int i = 0; i < kWindow; ++i) {
    window.offset[i] = static_cast<short>(i / 5 * side + i % 5);
  }
  return window;
}

static __constant__ Window kWindow1 = make_window(kImage);
static __constant__ Window kWindow2 = make_window(kSide1);

// 1.7159 tanh(2 x / 3)
static __device__ __forceinline__ float squash(float x) {
  const float power = approx_exp2(x * (2.0f * 0.66666667f * 1.4426950408889634f));
  return 1.7159f - approx_divide(2.0f * 1.7159f, power + 1.0f);
}

extern "C" __global__ void first_layer(const float* images, const float* weights, float* outputs) {
  const int map = static_cast<int>(blockIdx.x);
  const int image = static_cast<int>(blockIdx.y);
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const float* own = weights + map * (1 + kWindow);
  const float* corner = images + image * (kImage * kImage) + 2 * y * kImage + 2 * x;
  float sum = own[0];
#pragma unroll 1
  for (int i = 0; i < kWindow; ++i) {
    sum += corner[kWindow1.offset[i]] * own[1 + i];
  }
  outputs[((image * kMaps1 + map) * kSide1 + y) * kSide1 + x] = squash(sum);
}

extern "C" __global__ void second_layer(const float* inputs, const float* weights, float* outputs) {
  const int map = static_cast<int>(blockIdx.x);
  const int image = static_cast<int>(blockIdx.y);
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const float* own = weights + map * (1 + kMaps1 * kWindow);
  float sum = own[0];
#pragma unroll 1
  for (int from = 0; from < kMaps1; ++from) {
    const float* corner = inputs + ((image * kMaps1 + from) * kSide1 + 2 * y) * kSide1 + 2 * x;
#pragma unroll 1
    for (int i = 0; i < kWindow; ++i) {
      sum += corner[kWindow2.offset[i]] * own[1 + from * kWindow + i];
    }
  }
  outputs[((image * kMaps2 + map) * kSide2 + y) * kSide2 + x] = squash(sum);
}

// A TB of one thread: a neuron that is joined to all `count` inputs.
static __device__ __forceinline__ float neuron(const float* inputs, const float* own, int count) {
  float sum = own[0];
#pragma unroll 5
  for (int i = 0; i < count; ++i) {
    sum += inputs[i] * own[1 + i];
  }
  return squash(sum);
}

extern "C" __global__ void third_layer(const float* inputs, const float* weights, float* outputs) {
  const int image = static_cast<int>(blockIdx.y);
  outputs[image * kNeurons3 + static_cast<int>(blockIdx.x)] =
      neuron(inputs + image * kInputs3, weights + blockIdx.x * (1 + kInputs3), kInputs3);
}

extern "C" __global__ void fourth_layer(const float* inputs, const float* weights, float* outputs) {
  const int image = static_cast<int>(blockIdx.y);
  outputs[image * kNeurons4 + static_cast<int>(blockIdx.x)] =
      neuron(inputs + image * kNeurons3, weights + blockIdx.x * (1 + kNeurons3), kNeurons3);
}
