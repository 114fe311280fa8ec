#pragma once

#include <cstdint>

#include "base/observe.h"

namespace heddle {

/// What an L1D counts of the accesses that come to it: of all, or of one kernel launch.
struct L1dCounts {
  std::uint64_t loads = 0, hits = 0, pending_hits = 0, misses = 0;
  std::uint64_t intra_warp_hits = 0, intra_warp_pending_hits = 0;
  std::uint64_t stores = 0, store_hits = 0;
  std::uint64_t bypasses = 0;
  std::uint64_t fills = 0, evictions = 0, writebacks = 0;

  void report(StatSink& sink) const;
};

}  // namespace heddle
