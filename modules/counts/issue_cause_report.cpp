#include "modules/counts/issue_cause_report.h"

namespace heddle {

namespace {

bool of_no_kernel(IssueCause cause) { return cause == IssueCause::kEmpty || cause == IssueCause::kDrain; }

}  // namespace

void report_causes(const CauseCycles& cycles, CauseScope scope, StatSink& sink) {
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
    if (scope == CauseScope::kLaunch && of_no_kernel(cause)) continue;
    sink.count(info(cause).name, cycles[c], "cycles", info(cause).description);
  }
}

void report_active_set(const ClassCycles& cycles, StatSink& sink) {
  const StatScope scope(sink, "active_set");
  for (unsigned c = 1; c < kNumIssueClasses; ++c) {
    sink.count(to_string(static_cast<IssueClass>(c)), cycles[c], "cycles",
               "cycles of this class when only the active warps are looked at");
  }
}

}  // namespace heddle
