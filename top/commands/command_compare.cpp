#include <fmt/format.h>

#include "modules/warp_scheduler/policy_registry.h"
#include "top/commands/commands.h"
#include "top/options/command_config.h"
#include "top/report/compare_report.h"
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

}  // namespace

ExitCode compare_command(const CompareOptions& options) {
  std::vector<std::string> schedulers = options.schedulers;
  if (schedulers.empty()) schedulers.push_back(load_command_config(options.config).config.scheduler.name);
  const std::vector<std::string> timings =
      options.timing ? std::vector<std::string>{"ideal", "hardware"} : std::vector<std::string>{""};
  std::vector<BatchRun> batch;
  std::vector<ComparedRun> runs;
  for (const std::string& workload : options.workloads) {
    const std::string name = SizedWorkload::of(workload).name();
    for (const std::string& scheduler : schedulers) {
      static_cast<void>(load_command_config(options.config, scheduler));  // before its name is looked up
      for (const std::string& timing : timings) {
        BatchRun run;
        run.options.config = options.config;
        run.options.workload = workload;
        run.options.scheduler = scheduler;
        run.options.on = options.on;
        run.options.record = options.record;
        run.label = fmt::format("{} {}{}{}", name, scheduler, timing.empty() ? "" : " ", timing);
        if (!timing.empty()) run.options.config.assignments.push_back("scheduler.timing=" + timing);
        batch.push_back(std::move(run));
        runs.push_back({name, scheduler, timing, policy_scopes(scheduler), {}});
      }
    }
  }
  check_batch(batch);
  const OutputFolder folder = OutputFolder::open("compare", options.out, CompareOptions::kOut);
  folder.clear_runs();
  const std::vector<BatchOutcome> outcomes = run_batch("compare", std::move(batch), folder, options.quiet);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].outcome = outcomes[i];
  fmt::print("{}", options.timing ? timing_report(runs, options.format)
                                  : compare_report(runs, schedulers.size(), options.format));
  if (options.format == OutputFormat::kText) {
    fmt::print("\nResults of each run in {0}/; charts: heddle report {0}\n", shown_path(folder.path()));
  }
  return batch_code(outcomes);
}

}  // namespace heddle
