#pragma once

#include <string>
#include <vector>

#include "hw/reports/cost_table.h"
#include "top/machine/run_result.h"
#include "top/report/run_speed.h"
#include "top/report/stats_json.h"
#include "workloads/checks/output_check.h"

namespace heddle {

/// What a run did, on one screen: kernels and what limits their occupancy,
/// cycles and IPC, where the scheduler cycles went, caches and DRAM,
/// the price of the scheduler, checks, simulation speed.
std::string summary_text(const RunDescription& description, const RunResult& result,
                         const StatRegistry& registry, const std::vector<CheckResult>& checks,
                         const hw::CostTable& cost, const RunSpeed& speed);

}  // namespace heddle
