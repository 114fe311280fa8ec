#pragma once

#include <string>
#include <vector>

#include "hw/reports/cost_table.h"
#include "top/machine/run_result.h"
#include "top/report/stats/run_speed.h"
#include "top/report/stats/stats_json.h"
#include "top/text/output_format.h"
#include "top/text/table.h"
#include "workloads/checks/output_check.h"

namespace heddle {

/// A table below the rest of a summary, for people only.
struct SummaryTable {
  std::string heading;
  Table table;
};

/// What a run left, for its summary. References are kept.
struct RunSummary {
  const RunDescription& description;
  const RunResult& result;
  const StatRegistry& registry;
  const std::vector<CheckResult>& checks;
  const hw::CostTable& cost;
  const RunSpeed& speed;
  std::string folder;              ///< of its files; "": none
  std::vector<std::string> files;  ///< in it
  std::vector<SummaryTable> tables{};
};

/// What a run did, on one screen: kernels and what limits their occupancy, cycles and IPC, where the
/// scheduler cycles went, caches and DRAM, energy, the price of the scheduler, checks, simulation speed,
/// files. JSON is one object; CSV has a line per figure: section, name, value, unit.
std::string run_summary(const RunSummary& run, OutputFormat format);

}  // namespace heddle
