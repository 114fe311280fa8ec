#pragma once

#include <array>
#include <cstdint>

#include "base/observe.h"
#include "modules/messages/memory_request.h"

namespace heddle {

/// Where the time of finished memory requests went: per kind of service, the sums of the times per stage.
class RequestLifetimes {
 public:
  enum class Served : std::uint8_t { kL1Hit, kL2Hit, kDram, kStore, kAtomic };
  static constexpr unsigned kNumServed = 5;

  struct Sums {
    std::uint64_t requests = 0;
    Ticks lifetime = 0;
    std::array<Ticks, kNumStages> stage{};
  };

  /// Adds a request that finish() has ended at `now`.
  void add(const MemoryRequest& request, Ticks now) {
    Sums& sums = sums_[static_cast<unsigned>(served(request))];
    ++sums.requests;
    sums.lifetime += now - request.born_at();
    for (unsigned i = 0; i < kNumStages; ++i) sums.stage[i] += request.spent()[i];
  }

  const Sums& sums(Served served) const { return sums_[static_cast<unsigned>(served)]; }
  void report(StatSink& sink) const;

 private:
  static Served served(const MemoryRequest& request) {
    if (request.kind == RequestKind::kStore) return Served::kStore;
    if (request.kind == RequestKind::kAtomic) return Served::kAtomic;
    if (request.hit) return Served::kL1Hit;
    return request.l2_hit ? Served::kL2Hit : Served::kDram;
  }

  std::array<Sums, kNumServed> sums_{};
};

}  // namespace heddle
