#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "base/memory_budget.h"
#include "top/commands/commands.h"
#include "top/commands/sweep/sweep_experiment.h"
#include "top/config/config_loader.h"
#include "top/machine/gpu_builder.h"
#include "top/reproduction/definition/paper_definition.h"
#include "top/support/output/console.h"
#include "top/support/processes/out_of_memory.h"
#include "top/text/table.h"
#include "workloads/description/workload_loader.h"
#include "workloads/description/yaml_file.h"
#include "workloads/host/host_program.h"
#include "workloads/ptx/load.h"
#include "workloads/timed/timed_workload.h"

namespace heddle {

namespace {

enum class FileKind : std::uint8_t { kConfig, kWorkload, kTimedWorkload, kExperiment, kFigures, kPtx };

/// What is wrong with a kernel, when it has been told already.
class KernelsRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A workload names its PTX or its kind, an experiment its workloads, the figures of a paper the paper, a
/// configuration none of these. A file that is no YAML map is left to the configuration's loader, which says
/// what is wrong with it.
FileKind kind_of(const std::string& path) {
  if (std::filesystem::path(path).extension() == ".ptx") {
    return FileKind::kPtx;
  }
  try {
    const YAML::Node root = read_yaml_file(path);
    if (root.IsMap() && root["kind"]) {
      return FileKind::kTimedWorkload;
    }
    if (root.IsMap() && (root["ptx"] || root["launches"] || root["buffers"])) {
      return FileKind::kWorkload;
    }
    if (root.IsMap() && root["workloads"]) {
      return FileKind::kExperiment;
    }
    if (root.IsMap() && root["paper"] && root["figures"]) {
      return FileKind::kFigures;
    }
  } catch (const YamlError&) {
    return FileKind::kConfig;
  }
  return FileKind::kConfig;
}

/// What was found, as rows of a table.
class Findings {
 public:
  Findings()
      : table_({{"file", "file", Kind::kText, Rank::kKey},
                {"kind", "what it is"},
                {"name", "name"},
                {"valid", "valid", Kind::kText, Rank::kKey, TableColumn::For::kAll, &ink_of_valid},
                {"found", "found", Kind::kText, Rank::kKey}}) {}

  void add(const std::string& file, const char* kind, const std::string& name, const std::string& found) {
    table_.add({file, kind, name, true, found});
  }
  void add_error(const std::string& file, const char* kind, const std::string& name,
                 const std::string& error) {
    table_.add({file, kind, name, false, error});
  }
  const Table& table() const { return table_; }

 private:
  using Kind = TableColumn::Kind;
  using Rank = TableColumn::Rank;
  static Ink ink_of_valid(const Table::Cell& cell) { return cell == true ? Ink::kPlain : Ink::kBad; }

  Table table_;
};

/// Throws for the first kernel that can't be launched, after it has said so of each.
void check_ptx(const std::string& path, Findings& findings) {
  const ptx::Module module = ptx::load_file(path);
  for (const ptx::Code& code : module.kernels) {
    const Program& program = code.program;
    findings.add(path, "PTX kernel", program.name,
                 fmt::format("{} instructions, {} registers per thread, {} bytes of static shared memory",
                             program.code.size(), program.registers_per_thread, program.static_shared_bytes));
  }
  for (const ptx::Code& code : module.spilled) {
    findings.add(
        path, "PTX kernel", code.program.name,
        fmt::format("with the {} registers per thread of .maxnreg {} instructions, {} bytes of local memory "
                    "for what does not fit",
                    code.program.registers_per_thread, code.program.code.size(),
                    code.program.spilled_bytes_per_thread));
  }
  for (const ptx::RefusedKernel& kernel : module.refused) {
    findings.add_error(path, "PTX kernel", kernel.name, "can't be launched: " + kernel.error);
  }
  if (!module.refused.empty()) throw KernelsRefused(module.refused.front().error);
  if (module.kernels.empty()) findings.add(path, "PTX", "", "no kernel");
}

void check_workload(const std::string& path, Findings& findings) {
  HostProgram program(load_workload(path));
  program.check_expected_files();
  program.rehearse();
  findings.add(path, "workload", program.workload().name,
               fmt::format("{} buffer(s), {} check(s)", program.workload().buffers.size(),
                           program.workload().checks.size()));
}

void check_timed_workload(const std::string& path, Findings& findings) {
  const TimedWorkload workload = load_timed_workload(path);
  findings.add(path, "timed workload", workload.name, fmt::format("{} kernel(s)", workload.kernels.size()));
}

void check_figures(const std::string& path, Findings& findings) {
  const PaperDefinition paper = load_paper_definition(path, "");
  findings.add(
      path, "figures of a paper", paper.paper,
      fmt::format("{} figure(s), {} headline figure(s)", paper.figures.size(), paper.headlines.size()));
}

void check_config(const std::string& path, Findings& findings) {
  const LoadedConfig loaded = load_config(path, {});
  build_gpu(loaded);
  findings.add(path, "configuration", loaded.config.name,
               fmt::format("{} SMs, scheduler {}", loaded.config.core.sms, loaded.config.scheduler.name));
}

void check_file(const std::string& path, Findings& findings) {
  if (!std::filesystem::exists(path)) {
    throw std::runtime_error(path + ": there is no such file");
  }
  switch (kind_of(path)) {
    case FileKind::kPtx:
      check_ptx(path, findings);
      return;
    case FileKind::kWorkload:
      check_workload(path, findings);
      return;
    case FileKind::kTimedWorkload:
      check_timed_workload(path, findings);
      return;
    case FileKind::kExperiment: {
      const CheckedExperiment experiment = check_experiment(path);
      findings.add(path, "experiment", experiment.name, fmt::format("{} point(s)", experiment.points));
      return;
    }
    case FileKind::kFigures:
      check_figures(path, findings);
      return;
    default:
      check_config(path, findings);
  }
}

}  // namespace

ExitCode check_command(const CheckOptions& options) {
  ExitCode result = ExitCode::kOk;
  Findings findings;
  std::vector<std::string> errors;
  for (const std::string& file : options.files) {
    try {
      check_file(file, findings);
    } catch (const KernelsRefused& error) {
      errors.emplace_back(error.what());
      result = ExitCode::kBadInput;
    } catch (const MemoryError&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      if (ran_out_of_memory()) throw;
      // People have the message.
      if (options.format != OutputFormat::kText) findings.add_error(file, "", "", error.what());
      errors.emplace_back(error.what());
      result = ExitCode::kBadInput;
    }
  }
  if (options.format != OutputFormat::kText || !findings.table().empty())
    fmt::print("{}", findings.table().print(options.format));
  for (const std::string& error : errors) tell("heddle: {}\n", error);
  return result;
}

}  // namespace heddle
