#include <fmt/format.h>

#include <optional>

#include "modules/warp_scheduler/policy_registry.h"
#include "top/commands/commands.h"
#include "top/commands/sweep/stopped_points.h"
#include "top/experiment/definition/points.h"
#include "top/experiment/experiment_run.h"
#include "top/experiment/point/point_check.h"
#include "top/experiment/run_ends.h"
#include "top/options/command_config.h"
#include "top/report/summary/compare_report.h"
#include "top/support/sized_workload.h"

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
  experiment.name = "compare";
  for (const std::string& workload : options.workloads) {
    experiment.workloads.push_back(
        {SizedWorkload::of(workload).name(), {workload}, options.on.parameters, options.on.size});
  }
  if (!options.config.config.empty()) experiment.configs = {options.config.config};
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
ComparedRun compared(const Point& point) {
  // Before the scheduler's name is looked up.
  static_cast<void>(load_command_config(point.run.config, point.run.scheduler));
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

RunFolders folders_of(const CompareOptions& options, const std::vector<ComparedRun>& runs) {
  std::vector<std::string> labels;
  labels.reserve(runs.size());
  for (const ComparedRun& run : runs) labels.push_back(run_name(run));
  return RunFolders::of(OutputFolder::open("compare", options.out, CompareOptions::kOut), labels);
}

}  // namespace

ExitCode compare_command(const CompareOptions& options) {
  std::vector<std::string> schedulers = options.schedulers;
  if (schedulers.empty()) schedulers.push_back(load_command_config(options.config).config.scheduler.name);
  const Experiment experiment = experiment_of(options, schedulers);
  const std::vector<Point> points = points_of(experiment);
  std::vector<ComparedRun> runs;
  runs.reserve(points.size());
  for (const Point& point : points) runs.push_back(compared(point));
  EngineOptions engine;
  engine.database = options.database;
  engine.jobs = options.jobs;
  engine.quiet = options.quiet;
  engine.command = "compare";
  std::optional<RunFolders> folders;
  check_points(points);
  if (options.database.empty()) engine.folders = &folders.emplace(folders_of(options, runs));
  const ExperimentResults results = run_experiment(experiment, engine);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].outcome = results.outcome(results.rows()[i]);
    tell_problem("compare", run_name(runs[i]), results.rows()[i], runs[i].outcome);
  }
  fmt::print("{}", report_of(runs, options, schedulers.size()));
  if (options.format == OutputFormat::kText) fmt::print("\n{}", where_results_are(engine));
  tell_stopped_points("compare", results.count(ExperimentRow::State::kDone), runs.size(), {});
  return results.code();
}

}  // namespace heddle
