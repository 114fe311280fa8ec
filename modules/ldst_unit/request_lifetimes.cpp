#include "modules/ldst_unit/request_lifetimes.h"

namespace heddle {

void RequestLifetimes::report(StatSink& sink) const {
  static constexpr std::array<const char*, kNumServed> kScopes{"loads_l1_hit", "loads_l2_hit", "loads_dram",
                                                               "stores", "atomics"};
  for (unsigned i = 0; i < kNumServed; ++i) {
    const StatScope scope(sink, kScopes[i]);
    const Sums& sums = sums_[i];
    sink.count("requests", sums.requests, "requests", "requests that have ended");
    sink.count("lifetime", sums.lifetime, "ticks", "sum of their lifetimes, in units of the time resolution");
    for (unsigned s = 0; s < kNumStages; ++s) {
      sink.count(to_string(static_cast<Stage>(s)), sums.stage[s], "ticks", "part of lifetime spent there");
    }
  }
}

}  // namespace heddle
