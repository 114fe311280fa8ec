#include "../cuda_subset.h"

// The gradient vector flow by which Rodinia's leukocyte tracks cells, MGVF: a thread block relaxes the field
// of one cell's window, in shared memory, until it hardly changes any more. Cells take unequally many
// iterations, and each iteration has ten barriers. Two windows in shared memory leave room for one thread
// block, ten warps, on an SM.

constexpr int kThreads = 320;
constexpr int kRows = 41;
constexpr int kColumns = 81;
constexpr int kPixels = kRows * kColumns;
constexpr float kMu = 0.5f;
constexpr float kInverseLambda = 0.2f;
constexpr float kSharpness = 25.0f;

// From 0 to 1, steep around 0.
static __device__ __forceinline__ float step(float x) {
  return __builtin_fminf(__builtin_fmaxf(__builtin_fmaf(x, kSharpness, 0.5f), 0.0f), 1.0f);
}

// What a neighbour adds, by how far it lies against the direction of the flow.
static __device__ __forceinline__ float pull(float flow, float difference, float direction) {
  return __builtin_fmaf(step(difference * direction), difference, flow);
}

extern "C" __global__ void track_cells(const float* windows, float* fields, int* iterations, float vx,
                                       float vy, float least_change, int most_iterations) {
  __shared__ float field[2][kPixels];
  __shared__ float changes[kThreads];
  const int thread = static_cast<int>(threadIdx.x);
  const float* window = windows + blockIdx.x * kPixels;
  for (int pixel = thread; pixel < kPixels; pixel += kThreads) {
    field[0][pixel] = window[pixel];
  }
  int iteration = 0;
#pragma unroll 1
  while (true) {
    __syncthreads();
    const float* now = field[iteration % 2];
    float* then = field[(iteration + 1) % 2];
    float change = 0.0f;
#pragma unroll 1
    for (int pixel = thread; pixel < kPixels; pixel += kThreads) {
      const int row = pixel / kColumns;
      const int column = pixel - row * kColumns;
      const int up = row > 0 ? -kColumns : 0;
      const int down = row < kRows - 1 ? kColumns : 0;
      const int left = column > 0 ? -1 : 0;
      const int right = column < kColumns - 1 ? 1 : 0;
      const float* at = now + pixel;
      const float old = *at;
      float flow = 0.0f;
      flow = pull(flow, at[up + left] - old, -vx - vy);
      flow = pull(flow, at[up] - old, -vy);
      flow = pull(flow, at[up + right] - old, vx - vy);
      flow = pull(flow, at[left] - old, -vx);
      flow = pull(flow, at[right] - old, vx);
      flow = pull(flow, at[down + left] - old, vy - vx);
      flow = pull(flow, at[down] - old, vy);
      flow = pull(flow, at[down + right] - old, vx + vy);
      const float image = window[pixel];
      const float drawn = __builtin_fmaf(kMu * kInverseLambda, flow, old);
      const float value = __builtin_fmaf(-kInverseLambda * image, drawn - image, drawn);
      then[pixel] = value;
      change += __builtin_fabsf(value - old);
    }
    changes[thread] = change;
#pragma unroll 1
    for (int half = 256; half > 0; half /= 2) {
      __syncthreads();
      if (thread < half && thread + half < kThreads) {
        changes[thread] += changes[thread + half];
      }
    }
    __syncthreads();
    ++iteration;
    if (changes[0] < least_change * kPixels || iteration == most_iterations) {
      break;
    }
  }
  for (int pixel = thread; pixel < kPixels; pixel += kThreads) {
    fields[blockIdx.x * kPixels + pixel] = field[iteration % 2][pixel];
  }
  if (thread == 0) {
    iterations[blockIdx.x] = iteration;
  }
}
