#include "../cuda_subset.h"

constexpr float kLog2E = 1.4426950408889634f;
constexpr float kLn2 = 0.6931471805599453f;

// The normal distribution's cumulative function by the polynomial of Abramowitz and Stegun, 26.2.17.
static __device__ __forceinline__ float normal_cdf(float d) {
  const float magnitude = d < 0.0f ? -d : d;
  const float k = approx_divide(1.0f, 1.0f + 0.2316419f * magnitude);
  const float polynomial =
      k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.3989422804f * approx_exp2(-0.5f * kLog2E * d * d) * polynomial;
  return d > 0.0f ? 1.0f - tail : tail;
}

// Prices European options, one per thread.
extern "C" __global__ void black_scholes(float* call, float* put, const float* price, const float* strike,
                                         const float* years, float rate, float volatility, int options) {
  const int i = global_thread_x();
  if (i < options) {
    const float root = volatility * approx_sqrt(years[i]);
    const float growth = (rate + 0.5f * volatility * volatility) * years[i];
    const float d1 = approx_divide(kLn2 * approx_log2(approx_divide(price[i], strike[i])) + growth, root);
    const float d2 = d1 - root;
    const float discounted = strike[i] * approx_exp2(-kLog2E * rate * years[i]);
    const float n1 = normal_cdf(d1);
    const float n2 = normal_cdf(d2);
    call[i] = price[i] * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - price[i] * (1.0f - n1);
  }
}
