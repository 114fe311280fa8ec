#include <fmt/format.h>

#include <cstdio>

#include "top/commands/commands.h"
#include "top/config/config_loader.h"
#include "top/pairs/pair_report.h"
#include "top/pairs/workload_pairs.h"
#include "top/support/project_files.h"

namespace heddle {

namespace {

std::vector<std::string> all_policies() {
  std::vector<std::string> names;
  for (const DispatchPolicyEntry* entry : dispatch_policies()) names.emplace_back(entry->name);
  return names;
}

}  // namespace

namespace {

void print(const PairFigures& figures, const PairsOptions& options, bool detail) {
  if (options.format == "csv") {
    fmt::print("{}", pairs_as_csv(figures));
  } else if (options.format == "json") {
    fmt::print("{}", pairs_as_json(figures));
  } else {
    fmt::print("{}", pairs_as_table(figures, options.format == "md", detail));
  }
}

}  // namespace

ExitCode pairs_command(const PairsOptions& given) {
  PairsOptions options = given;
  if (options.policies.empty()) options.policies = all_policies();
  if (options.workloads.size() > 1) {
    WorkloadPairs pairs(options);
    pairs.run();
    print(pairs.figures(), options, true);
    return pairs.code();
  }
  const ProjectFiles files;
  const TimedWorkload workload = load_timed_workload(files.timed_workload(options.workloads.front()));
  const std::string config_name = options.config.config.empty() ? "srtf" : options.config.config;
  const LoadedConfig loaded = load_config(files.config(config_name), options.config.assignments);
  std::vector<Arrival> arrivals;
  for (const std::string& text : options.arrivals) arrivals.push_back(Arrival::parse(text));
  PairBench bench(loaded.config, workload, options.policies, arrivals);
  bench.run();
  print(bench.figures(), options, options.detail);
  return ExitCode::kOk;
}

}  // namespace heddle
