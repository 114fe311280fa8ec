#include "modules/counts/launch_counts.h"

#include "modules/counts/issue_cause_report.h"

namespace heddle {

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
