#include "modules/launch_counts.h"

namespace heddle {

namespace {

/// Nobody's: no warp that could issue is resident.
bool of_no_kernel(IssueCause cause) { return cause == IssueCause::kEmpty || cause == IssueCause::kDrain; }

void report_cycles(const CauseCycles& cycles, StatSink& sink) {
  std::uint64_t total = 0;
  for (unsigned c = 0; c < kNumIssueClasses; ++c) {
    const auto issue_class = static_cast<IssueClass>(c);
    const std::uint64_t sum = cycles_of(cycles, issue_class);
    total += sum;
    sink.count(to_string(issue_class), sum, "cycles",
               "cycles charged to this class; the classes sum to cycles");
  }
  sink.count("cycles", total, "cycles", "cycles of the scheduler");
  for (unsigned c = 1; c < kNumIssueCauses; ++c) {
    const auto cause = static_cast<IssueCause>(c);
    if (!of_no_kernel(cause)) sink.count(info(cause).name, cycles[c], "cycles", info(cause).description);
  }
}

}  // namespace

void LaunchCounts::report(StatSink& sink) const {
  {
    const StatScope sm(sink, "sm");
    issue.report_of_launch(sink);
    {
      const StatScope scheduler(sink, "scheduler");
      report_cycles(cycles, sink);
    }
    const StatScope cache(sink, "l1d");
    l1d.report(sink);
  }
  const StatScope partition(sink, "partition");
  const StatScope slice(sink, "slice");
  l2.report(sink);
}

}  // namespace heddle
