#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "hw/reports/cost_report.h"
#include "top/commands/commands.h"
#include "top/commands/run_waves.h"
#include "top/config/technology_file.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "top/options/command_config.h"
#include "top/pairs/program_set.h"
#include "top/report/prediction_log.h"
#include "top/report/run_speed.h"
#include "top/report/scheduler_cost.h"
#include "top/report/stats_json.h"
#include "top/report/summary.h"
#include "top/report/tb_log.h"
#include "top/support/atomic_file.h"
#include "top/support/interrupt.h"
#include "top/support/progress.h"
#include "top/support/project_files.h"
#include "workloads/host/functional_run.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

bool all_passed(const std::vector<CheckResult>& checks) {
  for (const CheckResult& check : checks) {
    if (!check.passed) {
      return false;
    }
  }
  return true;
}

ExitCode run_without_timing(ProgramSet& programs, const RunOptions& options) {
  FunctionalCounts counts;
  for (std::size_t p = 0; p < programs.size(); ++p) {
    counts += run_functionally(programs.program(p));
  }
  const std::vector<CheckResult> checks = programs.check();
  if (!options.quiet) {
    fmt::print("{}: {} launch(es), {} TBs, {} warp instructions, without timing\n", programs.name(),
               counts.launches, counts.thread_blocks, counts.warp_instructions);
    for (const CheckResult& check : checks) {
      fmt::print("  {}\n", check.message());
    }
  }
  return all_passed(checks) ? ExitCode::kOk : ExitCode::kCheckFailed;
}

std::unique_ptr<Host> make_host(Gpu& gpu, ProgramSet& programs, HostOptions options) {
  return programs.concurrent() ? std::make_unique<Host>("host", gpu, programs.streams(), std::move(options))
                               : std::make_unique<Host>("host", gpu, programs.program(0), std::move(options));
}

/// One per SM and, unless the user wants more, per processor at most: threads that take turns on a processor
/// wait for each other at every edge.
unsigned usable_threads(const RunOptions& options, unsigned sms) {
  const unsigned threads = std::min(options.threads, sms);
  return options.oversubscribe ? threads
                               : std::min(threads, std::max(std::thread::hardware_concurrency(), 1U));
}

/// The beginning of a text that may list every warp of the GPU.
std::string first_lines(const std::string& text) {
  constexpr unsigned kLines = 24;
  std::size_t end = 0;
  for (unsigned line = 0; line < kLines; ++line) {
    end = text.find('\n', end);
    if (end == std::string::npos || end + 1 == text.size()) {
      return text.substr(0, end);
    }
    ++end;
  }
  return text.substr(0, end) + "... the rest is in stats.json";
}

ExitCode exit_code_of(RunEnd end, const std::vector<CheckResult>& checks) {
  switch (end) {
    case RunEnd::kComplete:
      return all_passed(checks) ? ExitCode::kOk : ExitCode::kCheckFailed;
    case RunEnd::kInterrupted:
      return ExitCode::kInterrupted;
    case RunEnd::kCycleLimit:
      return ExitCode::kCycleLimit;
    case RunEnd::kDeadlock:
      return ExitCode::kDeadlock;
    case RunEnd::kPolicyDeadlock:
      return ExitCode::kPolicyDeadlock;
    case RunEnd::kFault:
      return ExitCode::kProgramFault;
    default:
      return ExitCode::kBadInput;
  }
}

}  // namespace

ExitCode run_command(const RunOptions& options) {
  const LoadedConfig loaded = load_command_config(options.config, options.scheduler);
  RunDescription description;
  description.command = options.model_command();
  description.config = loaded.config;
  ProgramSet programs(options, loaded.config);
  description.workload = programs.name();
  description.size = programs.sizes();
  description.parameters = programs.parameters();
  if (options.functional) {
    return run_without_timing(programs, options);
  }
  if (options.threads > 1 && programs.concurrent()) {
    throw UsageError(
        "heddle run: streams are counted launch by launch for all SMs at once: expected --threads 1");
  }
  const auto technology = choose_technology(options.technology, ProjectFiles().technologies());
  const std::string folder = options.out.empty() ? "heddle-out/" + programs.name() : options.out;
  make_output_folder(folder);

  const unsigned threads = usable_threads(options, loaded.config.core.sms);
  const std::unique_ptr<Gpu> built =
      build_gpu(loaded, {!options.no_sleep, options.reverse_construction, threads, options.processes});
  Gpu& gpu = *built;
  const InterruptGuard interrupts;
  ProgressLine progress(stderr, !options.quiet);
  std::optional<TbLog> tb_log;
  std::optional<PredictionLog> predictions;
  if (options.tb_log) {
    tb_log.emplace(gpu);
    predictions.emplace(gpu.dispatcher());
  }
  const std::unique_ptr<Host> built_host =
      make_host(gpu, programs, {options.on.max_cycles, [&progress, &tb_log](const ProgressState& state) {
                                  progress.update(state);
                                  if (tb_log) {
                                    tb_log->sample();
                                  }
                                  return InterruptGuard::requested();
                                }});
  Host& host = *built_host;
  std::optional<RunWaves> waves;
  if (options.vcd) waves.emplace(gpu, options, folder);
  gpu.clock_tree().run_ahead();

  const double cpu_began = cpu_seconds();
  const auto began = std::chrono::steady_clock::now();
  const RunResult result = host.run();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began;
  progress.clear();

  const std::vector<CheckResult> checks =
      result.end == RunEnd::kComplete ? programs.check() : std::vector<CheckResult>{};
  const RunSpeed speed{elapsed.count(),
                       cpu_seconds() - cpu_began,
                       gpu.warp_instructions(),
                       result.cycles,
                       gpu.ticks_executed(),
                       peak_memory_bytes(),
                       threads,
                       gpu.clock_tree().ticks_by_processes()};
  hw::CostTable cost = run_cost(gpu, technology, result.cycles);
  cost.context.about.insert(cost.context.about.end(),
                            {{"workload", programs.name()},
                             {"command", description.command},
                             {"status", result.end == RunEnd::kComplete ? "complete" : "partial"}});
  write_file_atomically((fs::path(folder) / "cost.json").string(), hw::cost_json(cost));
  write_file_atomically((fs::path(folder) / "speed.json").string(), speed_json(speed));
  write_file_atomically((fs::path(folder) / "stats.json").string(),
                        stats_json(description, result, host.registry(), checks));
  if (tb_log) {
    tb_log->sample();
    write_file_atomically((fs::path(folder) / "thread_blocks.json").string(),
                          tb_log->json(result.end == RunEnd::kComplete));
    write_file_atomically((fs::path(folder) / "predictions.csv").string(), predictions->csv());
  }
  if (waves) waves->finish();
  if (!options.quiet) {
    fmt::print("{}Results in {}: stats.json, cost.json, speed.json{}{}\n",
               summary_text(description, result, host.registry(), checks, cost, speed), folder,
               tb_log ? ", thread_blocks.json, predictions.csv" : "", waves ? waves->names() : "");
  }
  if (!result.reason.empty()) {
    std::fflush(stdout);
    fmt::print(stderr, "heddle: {}\n", first_lines(result.reason));
  }
  return exit_code_of(result.end, checks);
}

}  // namespace heddle
