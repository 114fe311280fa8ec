#include "top/batch/batch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "top/batch/batch_progress.h"
#include "top/batch/program_copies.h"
#include "top/batch/run_copy.h"
#include "top/machine/gpu_builder.h"
#include "top/options/command_config.h"
#include "top/options/compile_options.h"
#include "top/support/output/console.h"
#include "top/support/processes/budget_guard.h"
#include "top/support/project_files.h"
#include "top/support/sized_workload.h"
#include "workloads/description/workload_loader.h"
#include "workloads/host/host_program.h"

namespace heddle {

namespace {

/// Throws what run_command would, before the runs begin. What runs have in common is checked once.
class RunCheck {
 public:
  void check(const RunOptions& options) {
    const LoadedConfig loaded = load_command_config(options.config, options.scheduler);
    if (machines_.insert({options.config.config, options.config.assignments, options.scheduler}).second)
      build_gpu(loaded);
    if (!options.concurrent() && workloads_
                                     .insert({options.workload, options.on.size, options.on.parameters,
                                              loaded.config.core.max_registers_per_thread})
                                     .second)
      check_workload(options, loaded.config);
  }

 private:
  static void check_workload(const RunOptions& options, const GpuConfig& config) {
    const SizedWorkload sized = SizedWorkload::of(options.workload);
    Workload workload = load_workload(ProjectFiles().workload(sized.workload));
    auto parameters = workload.size_parameters(sized.size.empty() ? options.on.size : sized.size);
    for (const auto& [name, value] : options.on.parameters) {
      parameters[name] = value;
    }
    const std::vector<ptx::CompileOptions> compile = compile_options(config, options.on, workload);
    const HostProgram program(std::move(workload), parameters, {}, compile);
  }

  std::set<std::tuple<std::string, std::vector<std::string>, std::string>> machines_;
  std::set<std::tuple<std::string, std::string, std::map<std::string, std::int64_t>, unsigned>> workloads_;
};

/// Reads what is in the run's folder, with the process that ran it gone and no other one in it. Throws
/// OutputError when that is not what `asked_for` is.
void read_results(BatchOutcome& outcome, const RunIdentity& asked_for) {
  const OutputFolder folder(outcome.folder, OutputFolder::Wait::kShort);
  outcome.message = first_message(folder.path_of(kMessagesFile));
  const auto figures = read_run_figures(outcome.folder);
  if (!figures) {
    if (outcome.code != ExitCode::kOk && outcome.code != ExitCode::kCheckFailed) return;
    throw OutputError(fmt::format("{}: the run has left no results that can be read", outcome.folder));
  }
  asked_for.expect_in(outcome.folder);
  outcome.figures = figures;
}

BatchOutcome outcome_of(const BatchRun& run, const RunIdentity& asked_for, int code) {
  BatchOutcome outcome;
  outcome.code = static_cast<ExitCode>(code);
  outcome.folder = run.options.out;
  outcome.identity = asked_for;
  try {
    read_results(outcome, asked_for);
  } catch (const OutputError& error) {
    outcome.code = ExitCode::kNoOutput;
    outcome.message = error.what();
  }
  return outcome;
}

}  // namespace

std::string BatchOutcome::status() const {
  switch (code) {
    case ExitCode::kOk:
      return figures && figures->sampled ? "sampled" : "complete";
    case ExitCode::kCheckFailed:
      return "wrong output";
    case ExitCode::kCycleLimit:
      return "cycle limit";
    case ExitCode::kInterrupted:
      return "interrupted";
    case ExitCode::kMemoryLimit:
      return "memory limit";
    case ExitCode::kTimeLimit:
      return "time limit";
    case ExitCode::kDeadlock:
      return "deadlock";
    case ExitCode::kPolicyDeadlock:
      return "policy deadlock";
    case ExitCode::kProgramFault:
      return "fault";
    case ExitCode::kNoOutput:
      return "no results";
    case ExitCode::kOutOfMemory:
      return "out of memory";
    default:
      return fmt::format("exit code {}", static_cast<int>(code));
  }
}

void check_batch(const std::vector<BatchRun>& runs) {
  RunCheck check;
  for (const BatchRun& run : runs) check.check(run.options);
}

std::vector<BatchOutcome> run_batch(const std::string& command, std::vector<BatchRun> runs,
                                    const OutputFolder& out, bool quiet, unsigned jobs) {
  // Who is not there needs no share of the memory.
  const auto at_a_time = static_cast<unsigned>(std::clamp<std::size_t>(runs.size(), 1, copies_at_once(jobs)));
  std::vector<ProgramCopy> copies;
  std::vector<RunIdentity> identities;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    RunOptions& options = runs[i].options;
    options.out = out.folder_of_run(i, runs[i].label);
    const OutputFolder folder(options.out, OutputFolder::Wait::kShort);  // until its run takes it
    identities.push_back(RunIdentity::of(options, load_command_config(options.config, options.scheduler)));
    copies.push_back(copy_of_run(options, folder.path_of(kMessagesFile), budget_arguments(at_a_time)));
  }
  std::vector<std::string> kinds;
  for (const BatchRun& run : runs)
    kinds.push_back(fmt::format("{}+{}", run.options.workload, fmt::join(run.options.beside, "+")));
  BatchProgress progress(stderr, !quiet, std::move(kinds), at_a_time);
  const std::vector<int> codes =
      run_program_copies(copies, at_a_time, [&progress](CopyEvent event, std::size_t place) {
        if (event == CopyEvent::kBegin) progress.begin(place);
        if (event == CopyEvent::kEnd) progress.end(place);
        progress.update();
      });
  progress.clear();
  std::vector<BatchOutcome> outcomes;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    outcomes.push_back(outcome_of(runs[i], identities[i], codes[i]));
    const std::string& message = outcomes.back().message;
    if (!message.empty()) tell("heddle {}: {}: {}\n", command, runs[i].label, message);
  }
  return outcomes;
}

ExitCode batch_code(const std::vector<BatchOutcome>& outcomes) {
  if (const StopCause cause = stop_cause(); cause != StopCause::kNone) return exit_code_of(cause);
  for (const BatchOutcome& outcome : outcomes) {
    if (outcome.code != ExitCode::kOk) {
      return outcome.code;
    }
  }
  return ExitCode::kOk;
}

}  // namespace heddle
