#pragma once

#include <cmath>
#include <cstdint>

#include "modules/tb_dispatcher/sampling/launch_sampler.h"

namespace heddle {

/// TBs that the machines of these tests hold.
constexpr std::uint64_t kRound = 10;

/// What an estimate of a launch may be off by either way, in cycles.
inline double half_interval(const LaunchSampler& sampler) {
  double squares = 0;
  for (const double deviation : sampler.deviations_of_cycles()) squares += deviation * deviation;
  return std::sqrt(squares);
}

}  // namespace heddle
