#include "top/report/summary/functional_summary.h"

#include <fmt/format.h>

#include "top/report/summary/check_table.h"
#include "top/text/document.h"

namespace heddle {

std::string functional_summary(const FunctionalSummary& run, OutputFormat format) {
  const FunctionalCounts& counts = run.counts;
  if (format == OutputFormat::kCsv) return check_table(run.checks).csv();
  if (format == OutputFormat::kJson) {
    return print_json({{"workload", run.workload},
                       {"launches", counts.launches},
                       {"thread_blocks", counts.thread_blocks},
                       {"warp_instructions", counts.warp_instructions},
                       {"checks", check_table(run.checks).json()}});
  }
  Document out(format);
  out.paragraph(fmt::format("{}: {} launch(es), {} TBs, {} warp instructions, without timing", run.workload,
                            counts.launches, counts.thread_blocks, counts.warp_instructions));
  std::vector<std::string> messages;
  for (const CheckResult& check : run.checks) messages.push_back(check.message());
  if (!messages.empty()) out.list(messages);
  return out.text();
}

}  // namespace heddle
