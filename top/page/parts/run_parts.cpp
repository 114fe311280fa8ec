#include "top/page/parts/run_part.h"

namespace heddle {

namespace {

/// Runs whose logs are shown. A log's charts are a screenful each, and up to 200 kB.
constexpr std::size_t kLoggedRuns = 6;
/// Runs whose statistics over time are shown: a curve each, 30 kB and up to 200 of a policy's state.
constexpr std::size_t kRunsOverTime = 12;
/// Runs whose timelines are shown: up to half a megabyte each.
constexpr std::size_t kTimelines = 4;

}  // namespace

const std::vector<RunPart>& run_parts() {
  static const std::vector<RunPart> kParts{
      {"launches", launches_part},
      {"energy_parts", energy_part},
      {"streams", streams_part},
      {"thread_blocks", thread_blocks_part, kLoggedRuns, true},
      {"predictions", predictions_part, kLoggedRuns, true},
      {"intervals", intervals_part, kRunsOverTime},
      {"timeline", timeline_part, kTimelines},
      {"profile", profile_part},
      {"profile_detail", profile_detail_part, 1},
      {"source", source_part, 6},
  };
  return kParts;
}

}  // namespace heddle
