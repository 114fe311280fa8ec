#include "../cuda_subset.h"

constexpr int kThreads = 256;
constexpr float kLog2E = 1.4426950408889634f;
constexpr float kLn2 = 0.6931471805599453f;

// Where the normal distribution's cumulative function is 1/2 - half, by Moro's rational approximation in the
// middle and his polynomial of the double logarithm in the tail, whose area is `tail`.
static __device__ __forceinline__ float inverse_of(float half, float tail) {
  if (half < 0.42f) {
    const float z = half * half;
    const float above = 2.50662823884f + z * (-18.61500062529f + z * (41.39119773534f - z * 25.44106049637f));
    const float below =
        1.0f + z * (-8.4735109309f + z * (23.08336743743f + z * (-21.06224101826f + z * 3.13082909833f)));
    return -approx_divide(half * above, below);
  }
  const float r = kLn2 * approx_log2(-kLn2 * approx_log2(tail));
  float sum = 0.0000003960315187f;
  sum = 0.0000002888167364f + r * sum;
  sum = 0.0000321767881768f + r * sum;
  sum = 0.0003951896511919f + r * sum;
  sum = 0.0038405729373609f + r * sum;
  sum = 0.0276438810333863f + r * sum;
  sum = 0.1607979714918209f + r * sum;
  sum = 0.9761690190917186f + r * sum;
  return -(0.3374754822726147f + r * sum);
}

// Pricing by simulated paths, as the CUDA SDK's MonteCarlo. The first kernel turns equally spaced points of
// (0, 1) into normally distributed ones.
extern "C" __global__ void inverse_normal(float* samples, int paths) {
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
#pragma unroll 1
  for (int i = global_thread_x(); i < paths; i += threads) {
    // The tails mirror each other; the smaller area is the exact one.
    const int from_end = i < paths - 1 - i ? i : paths - 1 - i;
    const float tail = static_cast<float>(from_end + 1) / static_cast<float>(paths + 1);
    const float lower = inverse_of(0.5f - tail, tail);
    samples[i] = i == from_end ? lower : -lower;
  }
}

// The second simulates one option per TB: the mean gain of a call over all paths, and the half width of its
// confidence interval, of sums in a tree.
extern "C" __global__ void simulate_options(const float* samples, const float* price, const float* strike,
                                            const float* years, float* value, float* confidence, int paths) {
  __shared__ float sums[kThreads];
  __shared__ float squares[kThreads];
  const int option = static_cast<int>(blockIdx.x);
  const int thread = static_cast<int>(threadIdx.x);
  constexpr float kRate = 0.06f;
  constexpr float kVolatility = 0.1f;
  const float drift = kLog2E * (kRate - 0.5f * kVolatility * kVolatility) * years[option];
  const float spread = kLog2E * kVolatility * approx_sqrt(years[option]);
  float sum = 0.0f;
  float square = 0.0f;
#pragma unroll 1
  for (int path = thread; path < paths; path += kThreads) {
    const float gain = price[option] * approx_exp2(drift + spread * samples[path]) - strike[option];
    const float paid = gain > 0.0f ? gain : 0.0f;
    sum += paid;
    square += paid * paid;
  }
  sums[thread] = sum;
  squares[thread] = square;
#pragma unroll 1
  for (int width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (thread < width) {
      sums[thread] += sums[thread + width];
      squares[thread] += squares[thread + width];
    }
  }
  if (thread == 0) {
    const float discount = approx_exp2(-kLog2E * kRate * years[option]);
    const float count = static_cast<float>(paths);
    const float mean = sums[0] / count;
    const float variance = (squares[0] / count - mean * mean) * (count / (count - 1.0f));
    value[option] = discount * mean;
    confidence[option] = 1.96f * discount * approx_sqrt(variance / count);
  }
}
