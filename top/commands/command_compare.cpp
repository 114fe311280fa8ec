#include <fmt/format.h>

#include "modules/warp_scheduler/policy_registry.h"
#include "top/commands/commands.h"
#include "top/experiment/definition/points.h"
#include "top/experiment/experiment_run.h"
#include "top/options/command_config.h"
#include "top/report/summary/compare_report.h"
#include "top/support/output/console.h"
#include "top/support/sized_workload.h"
#include "top/text/shown_path.h"

namespace heddle {

namespace {

/// The scopes in which a scheduler's policies report.
std::vector<std::string> policy_scopes(const std::string& scheduler) {
  const PolicyNames names = find_policies(scheduler);
  std::vector<std::string> scopes{names.qualifier->name, names.prioritizer->name};
  for (const SharedPolicyEntry* shared : {names.qualifier->shared, names.prioritizer->shared}) {
    if (shared != nullptr) scopes.emplace_back(shared->name);
  }
  return scopes;
}

constexpr const char* kTiming = "scheduler.timing";

/// The comparison as an experiment: its points are the runs.
Experiment experiment_of(const CompareOptions& options, const std::vector<std::string>& schedulers) {
  Experiment experiment;
  for (const std::string& workload : options.workloads) {
    experiment.workloads.push_back(
        {SizedWorkload::of(workload).name(), {workload}, options.on.parameters, options.on.size});
  }
  experiment.schedulers = schedulers;
  experiment.assignments = options.config.assignments;
  if (options.timing) experiment.axes.push_back({kTiming, {"ideal", "hardware"}});
  experiment.registers = options.on.registers;
  experiment.limits.cycles = options.on.max_cycles;
  experiment.record = options.record;
  experiment.sample = options.sample;
  return experiment;
}

/// What the comparison shows of a point, but for how it ended.
ComparedRun compared(const Point& point, const std::string& config) {
  ConfigOptions machine = point.run.config;
  if (machine.config.empty()) machine.config = config;
  static_cast<void>(load_command_config(machine, point.run.scheduler));  // before its name is looked up
  return {std::string(label_of(point.labels, "workload")),
          point.run.scheduler,
          std::string(label_of(point.labels, kTiming)),
          policy_scopes(point.run.scheduler),
          {}};
}

std::string run_name(const ComparedRun& run) {
  return fmt::format("{} {}{}{}", run.workload, run.scheduler, run.timing.empty() ? "" : " ", run.timing);
}

std::string report_of(const std::vector<ComparedRun>& runs, const CompareOptions& options,
                      std::size_t schedulers) {
  return options.timing ? timing_report(runs, options.format)
                        : compare_report(runs, schedulers, options.format);
}

/// Its runs as points of a database.
ExitCode compare_in_database(const CompareOptions& options, const std::vector<std::string>& schedulers) {
  Experiment experiment = experiment_of(options, schedulers);
  experiment.name = "compare";
  if (!options.config.config.empty()) experiment.configs = {options.config.config};
  std::vector<ComparedRun> runs;
  for (const Point& point : points_of(experiment)) runs.push_back(compared(point, options.config.config));
  EngineOptions engine;
  engine.database = options.database;
  engine.jobs = options.jobs;
  engine.quiet = options.quiet;
  engine.command = "compare";
  const ExperimentResults results = run_experiment(experiment, engine);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ExperimentRow& row = results.rows()[i];
    runs[i].outcome = results.outcome(row);
    if (row.state != ExperimentRow::State::kFailed) continue;
    tell("heddle compare: {}: {}\n", run_name(runs[i]), row.message.empty() ? row.status : row.message);
  }
  fmt::print("{}", report_of(runs, options, schedulers.size()));
  if (options.format == OutputFormat::kText)
    fmt::print("\nFigures of each run: heddle results export --db {}\n", shown_path(options.database));
  return results.code();
}

}  // namespace

ExitCode compare_command(const CompareOptions& options) {
  std::vector<std::string> schedulers = options.schedulers;
  if (schedulers.empty()) schedulers.push_back(load_command_config(options.config).config.scheduler.name);
  if (!options.database.empty()) return compare_in_database(options, schedulers);
  std::vector<BatchRun> batch;
  std::vector<ComparedRun> runs;
  for (const Point& point : points_of(experiment_of(options, schedulers))) {
    const ComparedRun& shown = runs.emplace_back(compared(point, options.config.config));
    BatchRun run{point.run, run_name(shown)};
    run.options.config.config = options.config.config;
    batch.push_back(std::move(run));
  }
  check_batch(batch);
  const OutputFolder folder = OutputFolder::open("compare", options.out, CompareOptions::kOut);
  folder.clear_runs();
  const std::vector<BatchOutcome> outcomes =
      run_batch("compare", std::move(batch), folder, options.quiet, options.jobs);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].outcome = outcomes[i];
  fmt::print("{}", report_of(runs, options, schedulers.size()));
  if (options.format == OutputFormat::kText) {
    fmt::print("\nResults of each run in {0}/; charts: heddle report {0}\n", shown_path(folder.path()));
  }
  return batch_code(outcomes);
}

}  // namespace heddle
