#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "base/memory_budget.h"
#include "top/commands/commands.h"
#include "top/config/config_loader.h"
#include "top/machine/gpu_builder.h"
#include "top/support/console.h"
#include "top/support/out_of_memory.h"
#include "workloads/description/workload_loader.h"
#include "workloads/description/yaml_file.h"
#include "workloads/host/host_program.h"
#include "workloads/ptx/load.h"
#include "workloads/timed/timed_workload.h"

namespace heddle {

namespace {

enum class FileKind : std::uint8_t { kConfig, kWorkload, kTimedWorkload, kPtx };

/// A workload names its PTX or its kind, a configuration does not. A file that is no YAML map is left to the
/// configuration's loader, which says what is wrong with it.
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
  } catch (const YamlError&) {
    return FileKind::kConfig;
  }
  return FileKind::kConfig;
}

/// Throws for the first kernel that can't be launched, after it has said so of each.
void check_ptx(const std::string& path) {
  const ptx::Module module = ptx::load_file(path);
  fmt::print("{}: PTX, {} kernel(s)\n", path, module.kernels.size() + module.refused.size());
  for (const ptx::Code& code : module.kernels) {
    const Program& program = code.program;
    fmt::print("  {}: {} instructions, {} registers per thread, {} bytes of static shared memory\n",
               program.name, program.code.size(), program.registers_per_thread, program.static_shared_bytes);
  }
  for (const ptx::Code& code : module.spilled) {
    fmt::print(
        "  {}: with the {} registers per thread of .maxnreg {} instructions, {} bytes of local memory for "
        "what does not fit\n",
        code.program.name, code.program.registers_per_thread, code.program.code.size(),
        code.program.spilled_bytes_per_thread);
  }
  for (const ptx::RefusedKernel& kernel : module.refused) {
    fmt::print("  {}: can't be launched: {}\n", kernel.name, kernel.error);
  }
  if (!module.refused.empty()) throw std::runtime_error(module.refused.front().error);
}

void check_workload(const std::string& path) {
  const HostProgram program(load_workload(path));
  fmt::print("{}: workload '{}', {} buffer(s), {} check(s)\n", path, program.workload().name,
             program.workload().buffers.size(), program.workload().checks.size());
}

void check_timed_workload(const std::string& path) {
  const TimedWorkload workload = load_timed_workload(path);
  fmt::print("{}: timed workload '{}', {} kernel(s)\n", path, workload.name, workload.kernels.size());
}

void check_config(const std::string& path) {
  const LoadedConfig loaded = load_config(path, {});
  build_gpu(loaded);
  fmt::print("{}: configuration '{}'\n", path, loaded.config.name);
}

void check_file(const std::string& path) {
  if (!std::filesystem::exists(path)) {
    throw std::runtime_error(path + ": there is no such file");
  }
  switch (kind_of(path)) {
    case FileKind::kPtx:
      check_ptx(path);
      return;
    case FileKind::kWorkload:
      check_workload(path);
      return;
    case FileKind::kTimedWorkload:
      check_timed_workload(path);
      return;
    default:
      check_config(path);
  }
}

}  // namespace

ExitCode check_command(const CheckOptions& options) {
  ExitCode result = ExitCode::kOk;
  for (const std::string& file : options.files) {
    try {
      check_file(file);
    } catch (const MemoryError&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      if (ran_out_of_memory()) throw;
      tell("heddle: {}\n", error.what());
      result = ExitCode::kBadInput;
    }
  }
  return result;
}

}  // namespace heddle
