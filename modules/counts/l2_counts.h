#pragma once

#include <array>
#include <cstdint>

#include "base/observe.h"
#include "modules/messages/memory_request.h"

namespace heddle {

/// What an L2 slice counts of the requests that it looks up: of all, or of one kernel launch.
struct L2Counts {
  static constexpr unsigned kNumKinds = 6;
  static constexpr unsigned kNumOrigins = 4;

  std::array<std::uint64_t, kNumKinds> accesses{};  ///< by RequestKind
  std::uint64_t hits = 0, misses = 0, merged = 0;
  std::array<std::uint64_t, kNumOrigins> load_hits{};    ///< by LineOrigin
  std::array<std::uint64_t, kNumOrigins> load_merged{};  ///< likewise
  std::uint64_t sectors = 0, fetches = 0, fetched_sectors = 0;

  enum class Result : std::uint8_t { kHit, kMiss, kMerged };
  /// A request for `sectors`, of which `fetched_sectors` are fetched from DRAM. `origin` of loads that did
  /// not fetch.
  void count(RequestKind kind, Result result, LineOrigin origin, bool has_origin, unsigned sectors_asked,
             unsigned sectors_fetched);
  void report(StatSink& sink) const;
};

}  // namespace heddle
