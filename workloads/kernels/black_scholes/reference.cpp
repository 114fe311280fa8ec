#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void black_scholes(ReferenceMemory& memory);

namespace {

// The kernel's rate and volatility, as the floats that it is given.
constexpr double kRate = double{0.02F};
constexpr double kVolatility = double{0.3F};

double normal_cdf(double d) { return 0.5 * std::erfc(-d * 0.70710678118654752); }

}  // namespace

// The kernel's polynomial is within 7.5e-8 of the true distribution, which moves a price by less than 1e-5.
void black_scholes(ReferenceMemory& memory) {
  const auto call = memory.view<float>("call");
  const auto put = memory.view<float>("put");
  const auto price = memory.view<float>("price");
  const auto strike = memory.view<float>("strike");
  const auto years = memory.view<float>("years");
  for (std::size_t i = 0; i < call.size; ++i) {
    const double root = kVolatility * std::sqrt(double{years[i]});
    const double growth = (kRate + 0.5 * kVolatility * kVolatility) * years[i];
    const double d1 = (std::log(double{price[i]} / strike[i]) + growth) / root;
    const double d2 = d1 - root;
    const double discounted = strike[i] * std::exp(-kRate * years[i]);
    call[i] = static_cast<float>(price[i] * normal_cdf(d1) - discounted * normal_cdf(d2));
    put[i] = static_cast<float>(discounted * normal_cdf(-d2) - price[i] * normal_cdf(-d1));
  }
}

}  // namespace heddle::references
