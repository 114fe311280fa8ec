#include <fmt/format.h>

#include <memory>
#include <optional>

#include "top/commands/commands.h"
#include "top/commands/sweep/stopped_points.h"
#include "top/config/config_loader.h"
#include "top/pair_runs/pair_run.h"
#include "top/pairs/pair_bench.h"
#include "top/pairs/pair_report.h"
#include "top/support/output/output_folder.h"
#include "top/support/processes/parent_process.h"
#include "top/support/project_files.h"

namespace heddle {

namespace {

std::vector<std::string> all_policies() {
  std::vector<std::string> names;
  for (const DispatchPolicyEntry* entry : dispatch_policies()) names.emplace_back(entry->name);
  return names;
}

/// The file of a workload of kind timed; nothing when the name is another workload's.
std::optional<std::string> timed_workload(const ProjectFiles& files, const std::string& path_or_name) {
  try {
    const std::string file = files.timed_workload(path_or_name);
    return is_timed_workload(file) ? std::optional(file) : std::nullopt;
  } catch (const FileNotFound&) {
    return std::nullopt;
  }
}

/// On test beds, in this process.
ExitCode timed_pairs(const PairsOptions& options, const LoadedConfig& loaded, const TimedWorkload& workload) {
  PairBenchOptions bench_options;
  bench_options.policies = options.policies;
  bench_options.arrivals.clear();
  for (const std::string& text : options.arrivals) bench_options.arrivals.push_back(Arrival::parse(text));
  bench_options.plan = {options.together, true, options.repetitions, options.seed};
  bench_options.interference = options.interference;
  std::optional<OutputFolder> folder;
  if (options.record.tb_log) {
    folder.emplace(OutputFolder::open("pairs", options.out, PairsOptions::kOut));
    folder->clear_runs();
    bench_options.log_folder = folder->path();
  }
  // Left standing: SystemC looks for each module and socket among all others to take it down, which takes ten
  // seconds for the beds of twenty repetitions.
  static PairBench* const bench =
      std::make_unique<PairBench>(loaded.config, workload, bench_options).release();
  bench->run();
  fmt::print("{}", pairs_report(bench->figures(), options.format, options.detail));
  return ExitCode::kOk;
}

/// As points of an experiment.
ExitCode planned_pairs(const PairsOptions& options, PlannedPairs planned, bool detail) {
  const ExperimentResults results = run_pairs(options, planned);
  fmt::print("{}", pairs_report(planned.figures, options.format, detail));
  tell_stopped_points("pairs", results.count(ExperimentRow::State::kDone), results.rows().size(), {});
  return code_of_pairs(results);
}

void refuse_for_timed(const PairsOptions& options) {
  if (!options.scheduler.empty() || options.max_cycles != 0 || !options.registers.empty() ||
      options.record.needs_instructions()) {
    throw UsageError(
        "heddle pairs: --scheduler, --registers, --max-cycles, --vcd, --interval, --profile, --technology "
        "and --energy are for workloads that execute instructions");
  }
}

}  // namespace

ExitCode pairs_command(const PairsOptions& given) {
  if (given.started_by != 0) end_with_parent(given.started_by);
  PairsOptions options = given;
  if (options.policies.empty()) options.policies = all_policies();
  const ProjectFiles files;
  const std::optional<std::string> timed =
      options.workloads.size() == 1 ? timed_workload(files, options.workloads.front()) : std::nullopt;
  if (timed) {
    refuse_for_timed(options);
    const TimedWorkload workload = load_timed_workload(*timed);
    const std::string config_name = options.config.config.empty() ? "srtf" : options.config.config;
    const LoadedConfig loaded = load_config(files.config(config_name), options.config.assignments);
    if (options.database.empty()) return timed_pairs(options, loaded, workload);
    return planned_pairs(options, PlannedPairs::of_timed(options, workload), options.detail);
  }
  if (options.interference != 0)
    throw UsageError("heddle pairs: --interference is for workloads of kind timed: others do interfere");
  return planned_pairs(options, PlannedPairs::of_workloads(options), true);
}

}  // namespace heddle
