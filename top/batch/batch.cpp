#include "top/batch/batch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "top/batch/program_copies.h"
#include "top/machine/gpu_builder.h"
#include "top/options/command_config.h"
#include "top/options/compile_options.h"
#include "top/support/atomic_file.h"
#include "top/support/project_files.h"
#include "top/support/sized_workload.h"
#include "workloads/description/workload_loader.h"
#include "workloads/host/host_program.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;
constexpr unsigned kAtATime = 2;

/// "03-atax-gto": letters, digits and a few signs of the label.
std::string folder_name(std::size_t place, const std::string& label) {
  std::string name = fmt::format("{:02}-", place + 1);
  for (const char c : label) {
    const bool kept =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string("+_.=-").find(c) != std::string::npos;
    name += kept ? c : '-';
  }
  return name;
}

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
    const ptx::CompileOptions compile = compile_options(config, options.on, workload);
    const HostProgram program(std::move(workload), parameters, {}, compile);
  }

  std::set<std::tuple<std::string, std::vector<std::string>, std::string>> machines_;
  std::set<std::tuple<std::string, std::string, std::map<std::string, std::int64_t>, unsigned>> workloads_;
};

std::string first_line(const std::string& path) {
  std::string line;
  std::getline(std::ifstream(path), line);
  const std::string prefix = "heddle: ";
  return line.compare(0, prefix.size(), prefix) == 0 ? line.substr(prefix.size()) : line;
}

void remove_old(const std::string& folder) {
  for (const char* name : {"stats.json", "cost.json", "speed.json", "messages.txt"}) {
    fs::remove(fs::path(folder) / name);
  }
}

}  // namespace

std::string BatchOutcome::status() const {
  switch (code) {
    case ExitCode::kOk:
      return "complete";
    case ExitCode::kCheckFailed:
      return "wrong output";
    case ExitCode::kCycleLimit:
      return "cycle limit";
    case ExitCode::kInterrupted:
      return "interrupted";
    case ExitCode::kDeadlock:
      return "deadlock";
    case ExitCode::kPolicyDeadlock:
      return "policy deadlock";
    case ExitCode::kProgramFault:
      return "fault";
    default:
      return fmt::format("exit code {}", static_cast<int>(code));
  }
}

std::vector<BatchOutcome> run_batch(const std::string& command, std::vector<BatchRun> runs,
                                    const std::string& out) {
  RunCheck check;
  for (const BatchRun& run : runs) {
    check.check(run.options);
  }
  std::vector<ProgramCopy> copies;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    RunOptions& options = runs[i].options;
    options.out = (fs::path(out) / folder_name(i, runs[i].label)).string();
    make_output_folder(options.out);
    remove_old(options.out);
    ProgramCopy copy{options.model_arguments(), (fs::path(options.out) / "messages.txt").string()};
    copy.arguments.insert(copy.arguments.end(), {"--quiet", "--out", options.out});
    if (options.tb_log) copy.arguments.emplace_back("--tb-log");
    copies.push_back(std::move(copy));
  }
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto progress = [&](std::size_t ended) {
    if (terminal) {
      fmt::print(stderr, "\r{} of {} runs{}", ended, runs.size(), ended == runs.size() ? "\r\x1b[K" : "");
    }
  };
  const std::vector<int> codes = run_program_copies(copies, kAtATime, progress);
  std::vector<BatchOutcome> outcomes;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string message = first_line(copies[i].messages_file);
    if (!message.empty()) {
      fmt::print(stderr, "heddle {}: {}: {}\n", command, runs[i].label, message);
    }
    outcomes.push_back({static_cast<ExitCode>(codes[i]), read_run_figures(runs[i].options.out),
                        runs[i].options.out, message});
  }
  return outcomes;
}

ExitCode batch_code(const std::vector<BatchOutcome>& outcomes) {
  for (const BatchOutcome& outcome : outcomes) {
    if (outcome.code != ExitCode::kOk) {
      return outcome.code;
    }
  }
  return ExitCode::kOk;
}

}  // namespace heddle
