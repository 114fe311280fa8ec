#include <fmt/format.h>

#include <cstdio>

#include "top/commands.h"
#include "top/config_loader.h"
#include "top/pairs/pair_report.h"
#include "top/project_files.h"

namespace heddle {

namespace {

std::vector<std::string> all_policies() {
  std::vector<std::string> names;
  for (const DispatchPolicyEntry* entry : dispatch_policies()) names.emplace_back(entry->name);
  return names;
}

}  // namespace

ExitCode pairs_command(const PairsOptions& options) {
  const ProjectFiles files;
  const TimedWorkload workload = load_timed_workload(files.timed_workload(options.workload));
  const std::string config_name = options.config.config.empty() ? "srtf" : options.config.config;
  const LoadedConfig loaded = load_config(files.config(config_name), options.config.assignments);
  std::vector<Arrival> arrivals;
  for (const std::string& text : options.arrivals) arrivals.push_back(Arrival::parse(text));
  PairBench bench(loaded.config, workload, options.policies.empty() ? all_policies() : options.policies,
                  arrivals);
  bench.run();
  if (options.format == "csv") {
    fmt::print("{}", pairs_as_csv(bench, workload));
  } else if (options.format == "json") {
    fmt::print("{}", pairs_as_json(bench, workload));
  } else {
    fmt::print("{}", pairs_as_table(bench, workload, options.format == "md", options.detail));
  }
  return ExitCode::kOk;
}

}  // namespace heddle
