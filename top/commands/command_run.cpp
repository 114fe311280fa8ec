#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "base/memory_budget.h"
#include "base/utf8.h"
#include "hw/reports/cost_json.h"
#include "modules/tb_dispatcher/resources/occupancy.h"
#include "top/batch/run_identity.h"
#include "top/commands/commands.h"
#include "top/commands/run/run_timeline.h"
#include "top/commands/run/run_waves.h"
#include "top/config/technology_file.h"
#include "top/energy/energy_check.h"
#include "top/intervals/interval_sampler.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "top/options/command_config.h"
#include "top/pairs/program_set.h"
#include "top/profile/hot_lines.h"
#include "top/profile/profile.h"
#include "top/profile/profile_json.h"
#include "top/report/cost/scheduler_cost.h"
#include "top/report/logs/prediction_log.h"
#include "top/report/logs/tb_log.h"
#include "top/report/stats/run_speed.h"
#include "top/report/stats/stats_json.h"
#include "top/report/summary/functional_summary.h"
#include "top/report/summary/summary.h"
#include "top/rtl/choice/twin_choice.h"
#include "top/rtl/choice/twin_maker.h"
#include "top/rtl/rtl_error.h"
#include "top/rtl/twin_cache.h"
#include "top/support/output/console.h"
#include "top/support/output/output_folder.h"
#include "top/support/output/progress.h"
#include "top/support/processes/budget_guard.h"
#include "top/support/processes/interrupt.h"
#include "top/support/processes/parent_process.h"
#include "top/support/project_files.h"
#include "workloads/description/workload_error.h"
#include "workloads/host/functional_run.h"
#include "workloads/ptx/execution/execute_printf.h"

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

/// Without a summary, which has them.
void tell_failed(const std::vector<CheckResult>& checks) {
  for (const CheckResult& check : checks) {
    if (!check.passed) tell("heddle: an output differs from its reference: {}\n", check.message());
  }
}

OutputFolder open_folder(const RunOptions& options, const ProgramSet& programs) {
  return OutputFolder::open("run", options.out, (fs::path(RunOptions::kOut) / programs.name()).string());
}

/// The names of the files that write_dumps() will write; throws for what it can't.
std::vector<std::string> dump_files(const ProgramSet& programs, const RunOptions& options) {
  std::vector<std::string> files;
  for (const BufferDump& dump : programs.dumps(options.dumps)) {
    const std::string file = OutputFolder::buffer_file(dump.buffer);
    if (std::find(files.begin(), files.end(), file) != files.end())
      throw std::invalid_argument(fmt::format("dump: two buffers would be written to '{}'", file));
    files.push_back(file);
  }
  return files;
}

void write_dumps(const OutputFolder& folder, const ProgramSet& programs, const RunOptions& options) {
  for (const BufferDump& dump : programs.dumps(options.dumps)) {
    folder.write(OutputFolder::buffer_file(dump.buffer),
                 {reinterpret_cast<const char*>(dump.data), dump.bytes});
  }
}

ExitCode run_without_timing(ProgramSet& programs, const GpuConfig& config, const RunOptions& options) {
  std::optional<OutputFolder> folder;  // when there is something to write
  if (!dump_files(programs, options).empty()) {
    folder.emplace(open_folder(options, programs));
    folder->clear();
  }
  FunctionalCounts counts;
  FunctionalLimits limits;
  limits.resident_tbs = [&core = config.core](const KernelLaunch& launch) {
    return std::uint64_t{core.sms} * Occupancy::of(launch, core).tbs_per_sm;
  };
  for (std::size_t p = 0; p < programs.size() && counts.complete; ++p) {
    if (options.on.max_cycles != 0) {
      counts.complete = counts.warp_instructions < options.on.max_cycles;
      limits.warp_instructions = options.on.max_cycles - counts.warp_instructions;
    }
    if (counts.complete) counts += run_functionally(programs.program(p), limits);
  }
  if (folder) write_dumps(*folder, programs, options);
  if (!counts.complete) {
    fmt::print(stderr, "heddle: stopped after {} warp instructions (--max-cycles): outputs are not checked\n",
               counts.warp_instructions);
    return ExitCode::kCycleLimit;
  }
  const std::vector<CheckResult> checks = programs.check();
  if (options.quiet) {
    tell_failed(checks);
  } else {
    fmt::print("{}", functional_summary({programs.name(), counts, checks}, options.format));
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

/// Checks what a complete run has left. When there is no time or memory for it, or nothing to hold it
/// against, the run ends so.
std::vector<CheckResult> check_outputs(const ProgramSet& programs, RunResult& result) {
  if (result.end != RunEnd::kComplete) return {};
  constexpr const char* kWhen = "while the outputs were checked";
  try {
    return programs.check();
  } catch (const Stopped& stopped) {
    result.end = run_end_of(stopped.cause());
    result.reason = stop_text(stopped.cause(), kWhen);
  } catch (const MemoryError& error) {
    result.end = RunEnd::kMemoryLimit;
    result.reason = fmt::format("{}, {}", error.what(), kWhen);
  } catch (const WorkloadError& error) {
    result.end = RunEnd::kBadInput;
    result.reason = error.what();
  }
  return {};
}

/// The twin that the run wants; nothing: the model chooses alone. What the run could not begin with is
/// refused here, before minutes go into building the twin.
std::optional<TwinDesign> wanted_twin(const RunOptions& options, const LoadedConfig& loaded,
                                      const ProgramSet& programs) {
  if (options.impl == Implementation::kModel) return std::nullopt;
  if (loaded.config.scheduler.timing != hw::Timing::kHardware) {
    throw RtlError(
        "scheduler.timing: found ideal, expected hardware with --impl rtl and --impl lockstep: a twin is "
        "hardware");
  }
  TwinDesign design = checked_design_of(loaded, options.twin);
  if (options.vector_cycles != 0) check_vectors_sm(options.vectors_sm, loaded.config.core.sms);
  programs.check_launches(options, loaded.config);
  return design;
}

/// The twins in `gpu`, built if they have to be.
std::unique_ptr<TwinHost> make_twins(Gpu& gpu, TwinDesign design, const RunOptions& options,
                                     const OutputFolder& folder) {
  TwinCache cache(options.rtl_cache,
                  options.rtl_sources.empty() ? ProjectFiles().rtl() : options.rtl_sources);
  std::unique_ptr<TwinLibrary> library = cache.get(design, options.quiet);
  return make_twin_host(
      gpu, std::move(design), std::move(library),
      TwinHost::Options{options.impl == Implementation::kRtl, folder.path_of("lockstep.vcd"),
                        options.vector_cycles, options.vectors_sm});
}

/// Looks at the last cycles; whether twins and model were the same to the end.
bool end_lockstep(TwinHost& twins, RunResult& result, const OutputFolder& folder) {
  try {
    if (result.end == RunEnd::kComplete) twins.finish();
  } catch (const TwinMismatch& mismatch) {
    result.end = RunEnd::kBadInput;
    result.reason = mismatch.what();
  }
  folder.write("lockstep.json", twins.json());
  return !twins.mismatched();
}

ExitCode exit_code_of(RunEnd end, const std::vector<CheckResult>& checks) {
  switch (end) {
    case RunEnd::kComplete:
      return all_passed(checks) ? ExitCode::kOk : ExitCode::kCheckFailed;
    case RunEnd::kInterrupted:
      return ExitCode::kInterrupted;
    case RunEnd::kCycleLimit:
      return ExitCode::kCycleLimit;
    case RunEnd::kMemoryLimit:
      return ExitCode::kMemoryLimit;
    case RunEnd::kTimeLimit:
      return ExitCode::kTimeLimit;
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
  if (options.started_by != 0) end_with_parent(options.started_by);
  const LoadedConfig loaded = load_command_config(options.config, options.scheduler);
  const RunIdentity identity = RunIdentity::of(options, loaded);  // before what it is of is read
  RunDescription description;
  description.command = as_utf8(options.model_command());
  description.config = loaded.config;
  ProgramSet programs(options, loaded.config);
  description.workload = programs.name();
  description.size = programs.sizes();
  description.parameters = programs.parameters();
  if (options.format != OutputFormat::kText) ptx::print_to(stderr);  // stdout has the results
  if (options.functional) {
    return run_without_timing(programs, loaded.config, options);
  }
  for (std::size_t p = 0; p < programs.size(); ++p) programs.program(p).check_expected_files();
  const auto technology = choose_technology(options.record.technology, ProjectFiles().technologies());
  description.energy = choose_energy_table(options.record.energy);

  std::optional<TwinDesign> twin = wanted_twin(options, loaded, programs);
  const unsigned threads = usable_threads(options, loaded.config.core.sms);
  const std::unique_ptr<Gpu> built =
      build_gpu(loaded, {!options.no_sleep, options.reverse_construction, threads, options.processes});
  Gpu& gpu = *built;
  if (description.energy) check_energy_table(*description.energy, gpu);
  const std::vector<std::string> dumped = dump_files(programs, options);
  const OutputFolder folder = open_folder(options, programs);
  std::unique_ptr<TwinHost> twins;
  if (twin) twins = make_twins(gpu, *std::move(twin), options, folder);
  const InterruptGuard interrupts;
  ProgressLine progress(stderr, !options.quiet);
  std::optional<TbLog> tb_log;
  std::optional<PredictionLog> predictions;
  if (options.record.tb_log) {
    tb_log.emplace(gpu);
    predictions.emplace(gpu.dispatcher());
  }
  std::optional<Profile> profile;
  if (options.record.profile) profile.emplace(gpu);
  std::optional<RunWaves> waves;
  std::optional<IntervalSampler> intervals;
  std::optional<RunTimeline> timeline;
  const auto poll = [&progress, &tb_log, &waves, &intervals, &timeline](const ProgressState& state) {
    progress.update(state);
    if (tb_log) tb_log->sample();
    if (timeline) timeline->look();
    return (waves && waves->failed()) || (intervals && intervals->failed());
  };
  const std::unique_ptr<Host> built_host =
      make_host(gpu, programs, {options.on.max_cycles, poll, options.sample});
  Host& host = *built_host;
  folder.clear();
  if (options.record.waves.wanted) waves.emplace(gpu, options, folder.path());
  if (options.record.interval_cycles != 0) {
    intervals.emplace("intervals", gpu, options.record.interval_cycles, folder.path_of("intervals.sqlite"));
  }
  if (options.timeline) timeline.emplace(gpu, options, folder);
  gpu.clock_tree().run_ahead();

  const double cpu_began = cpu_seconds();
  const auto began = std::chrono::steady_clock::now();
  RunResult result = host.run();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began;
  const double cpu_elapsed = cpu_seconds() - cpu_began;
  progress.clear();

  const bool same = !twins || end_lockstep(*twins, result, folder);
  const std::vector<CheckResult> checks = check_outputs(programs, result);
  const std::uint64_t simulated_cycles = result.sampling ? result.sampling->simulated_cycles : result.cycles;
  const RunSpeed speed{elapsed.count(),
                       cpu_elapsed,
                       gpu.warp_instructions(),
                       simulated_cycles,
                       gpu.ticks_executed(),
                       peak_memory_bytes(),
                       threads,
                       gpu.clock_tree().ticks_by_processes()};
  hw::CostTable cost = run_cost(gpu, technology, simulated_cycles);
  cost.context.about.insert(cost.context.about.end(),
                            {{"workload", programs.name()},
                             {"command", description.command},
                             {"status", result.end == RunEnd::kComplete ? "complete" : "partial"}});
  if (result.sampling && result.sampling->sampled())
    cost.context.about.emplace_back("sampled", "what was simulated in detail counts here");
  if (waves) waves->finish();
  if (intervals) intervals->finish(description, result);
  if (timeline) timeline->finish(description, result);
  if (tb_log) {
    tb_log->sample();
    folder.write("thread_blocks.json", tb_log->json(result.end == RunEnd::kComplete));
    folder.write("predictions.csv", predictions->csv());
  }
  const ProfileCounts counts = profile ? profile->counts() : ProfileCounts();
  if (profile) folder.write("profile.json", profile_json(description, result, counts));
  if (twins && twins->vectors() != nullptr)
    folder.write(kVectorsFile, twins->vectors()->text(description.command));
  write_dumps(folder, programs, options);
  folder.write("cost.json", hw::cost_json(cost));
  folder.write("speed.json", speed_json(speed));
  folder.write("run.json", identity.json());
  // The last one: it says that all the others are there.
  folder.write("stats.json", stats_json(description, result, host.registry(), checks));
  if (!options.quiet) {
    std::vector<std::string> files{"stats.json", "cost.json", "speed.json", "run.json"};
    if (twins) files.emplace_back("lockstep.json");
    if (twins && twins->vectors() != nullptr) files.emplace_back(kVectorsFile);
    if (tb_log) files.insert(files.end(), {"thread_blocks.json", "predictions.csv"});
    if (intervals) files.emplace_back("intervals.sqlite");
    if (waves) {
      const std::vector<std::string> names = waves->names();
      files.insert(files.end(), names.begin(), names.end());
    }
    if (timeline) files.push_back(timeline->name());
    files.insert(files.end(), dumped.begin(), dumped.end());
    std::vector<SummaryTable> tables;
    if (profile) {
      files.emplace_back("profile.json");
      tables.push_back({"Hottest lines", hot_lines(counts)});
    }
    const bool moves = !options.shown_in.empty() && same;
    fmt::print("{}", run_summary({description, result, host.registry(), checks, cost, speed,
                                  moves ? options.shown_in : folder.path(), files, tables},
                                 options.format));
  } else {
    tell_failed(checks);
  }
  if (!result.reason.empty()) {
    tell("heddle: {}\n", first_lines(result.reason));
  }
  if (waves && waves->names().empty()) {
    tell("heddle: no waves: the run ended at core cycle {}, before the window's first one ({})\n",
         result.cycles, options.record.waves.window.from);
  }
  return same ? exit_code_of(result.end, checks) : ExitCode::kTwinDiffers;
}

}  // namespace heddle
