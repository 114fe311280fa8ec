#include "modules/counts/launch_counts.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <type_traits>

#include "modules/counts/issue_cause_report.h"

namespace heddle {

/// It is nothing but counts.
void LaunchCounts::add(const LaunchCounts& other) {
  static_assert(std::is_trivially_copyable_v<LaunchCounts>);
  using All = std::array<std::uint64_t, sizeof(LaunchCounts) / sizeof(std::uint64_t)>;
  static_assert(sizeof(All) == sizeof(LaunchCounts));
  All sums;
  All others;
  std::memcpy(&sums, this, sizeof sums);
  std::memcpy(&others, &other, sizeof others);
  std::transform(sums.begin(), sums.end(), others.begin(), sums.begin(), std::plus<>());
  std::memcpy(static_cast<void*>(this), &sums, sizeof sums);
}

void LaunchCounts::report(StatSink& sink) const {
  {
    const StatScope sm(sink, "sm");
    issue.report_of_launch(sink);
    {
      const StatScope scheduler(sink, "scheduler");
      report_causes(cycles, CauseScope::kLaunch, sink);
    }
    const StatScope cache(sink, "l1d");
    l1d.report(sink);
  }
  const StatScope partition(sink, "partition");
  const StatScope slice(sink, "slice");
  l2.report(sink);
}

}  // namespace heddle
