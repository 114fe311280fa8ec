#include "../cuda_subset.h"

// Two kernels of Rodinia's backprop on a layer of 16 hidden neurons: a TB of 16 x 16 threads takes 16 inputs
// (rows) and all hidden neurons (columns). Weights have 17 columns; row and column 0 belong to the biases, so
// that no row begins at a line.
constexpr int kSide = 16;
constexpr int kColumns = kSide + 1;

static __device__ __forceinline__ int weight_index() {
  const int row = static_cast<int>(blockIdx.y) * kSide + static_cast<int>(threadIdx.y) + 1;
  return row * kColumns + static_cast<int>(threadIdx.x) + 1;
}

// Products of inputs and weights, added up over the TB's inputs as a tree in shared memory. `partial_sums`
// has a row per TB; the tree itself goes back to memory too, as it does in Rodinia.
extern "C" __global__ void layer_forward(const float* inputs, const float* weights, float* tree,
                                         float* partial_sums) {
  __shared__ float input[kSide];
  __shared__ float product[kSide][kSide];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const int at = weight_index();
  if (x == 0) {
    input[y] = inputs[blockIdx.y * kSide + y + 1];
  }
  __syncthreads();
  product[y][x] = weights[at];
  __syncthreads();
  product[y][x] *= input[y];
  __syncthreads();
#pragma unroll 1
  for (unsigned rows = 2; rows <= kSide; rows *= 2) {
    if (y % rows == 0) {
      product[y][x] += product[y + rows / 2][x];
    }
    __syncthreads();
  }
  tree[at] = product[y][x];
  __syncthreads();
  if (x == 0) {
    partial_sums[blockIdx.y * kSide + y] = product[0][y];
  }
}

// Moves each weight against its error, and on as the last time.
extern "C" __global__ void adjust_weights(const float* deltas, const float* inputs, float* weights,
                                          float* last_changes, float rate, float momentum) {
  const unsigned column = threadIdx.x + 1;
  const unsigned row = blockIdx.y * kSide + threadIdx.y + 1;
  const int at = weight_index();
  const float change = rate * deltas[column] * inputs[row] + momentum * last_changes[at];
  weights[at] += change;
  last_changes[at] = change;
  __syncthreads();
  if (threadIdx.y == 0 && blockIdx.y == 0) {
    const float bias_change = rate * deltas[column] + momentum * last_changes[column];
    weights[column] += bias_change;
    last_changes[column] = bias_change;
  }
}
