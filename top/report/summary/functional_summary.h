#pragma once

#include <string>
#include <vector>

#include "top/text/output_format.h"
#include "workloads/checks/output_check.h"
#include "workloads/host/functional_run.h"

namespace heddle {

/// What a run without timing did. References are kept.
struct FunctionalSummary {
  std::string workload;
  const FunctionalCounts& counts;
  const std::vector<CheckResult>& checks;
};

/// CSV has a line per check.
std::string functional_summary(const FunctionalSummary& run, OutputFormat format);

}  // namespace heddle
