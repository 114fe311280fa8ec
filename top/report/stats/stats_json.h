#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "modules/config/gpu_config.h"
#include "top/energy/energy_table.h"
#include "top/machine/run_result.h"
#include "workloads/checks/output_check.h"

namespace heddle {

/// What stats.json says about how the results came about.
struct RunDescription {
  std::string command;
  std::string workload;
  std::string size;
  std::map<std::string, std::int64_t> parameters;  ///< as they were in force
  GpuConfig config;
  std::optional<EnergyTable> energy;  ///< what the machine's work costs
};

/// The names of the metrics of a whole run, in the order of stats.json.
std::vector<std::string> metric_names(const RunDescription& description, const StatRegistry& registry,
                                      const StatValues& values);

/// stats.json: description, status, checks, then every metric with name, value, unit and description: of the
/// whole run, of every launch, and of every instance of every block. Nothing in it depends on the host or the
/// wall clock: equal runs give equal bytes.
std::string stats_json(const RunDescription& description, const RunResult& result,
                       const StatRegistry& registry, const std::vector<CheckResult>& checks);

}  // namespace heddle
