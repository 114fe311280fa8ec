#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "workloads/description/workload.h"
#include "workloads/launch/device_memory.h"
#include "workloads/ptx/execution/execute.h"
#include "workloads/ptx/load.h"

namespace heddle {

/// The PTX files of a workload, with their kernels and module-scope variables by name. Each file is a module
/// of its own, as in CUDA: a variable of one is not seen by another.
class ModuleSet {
 public:
  /// Reads the files and checks every launch of the workload against them: the kernel is there, and number,
  /// size and kind of the arguments fit its parameters. `compile` holds the options of each file in order;
  /// a file that it has none for is compiled as CompileOptions say. Keeps a reference to the workload. Throws
  /// WorkloadError and ptx::PtxError.
  ModuleSet(const Workload& workload, const std::vector<ptx::CompileOptions>& compile);

  /// Gives the modules addresses. `code_base` as for ptx::LoadedModule. To be called once; what follows needs
  /// it.
  void place(DeviceMemory& memory, std::uint64_t code_base);

  /// The module that has the kernel of a launch of the workload.
  const ptx::LoadedModule& of(const LaunchStatement& launch, const SourceMark& mark) const;

  /// A module-scope variable.
  struct Symbol {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
  };
  /// Throws WorkloadError when there is none of the name, or there are several.
  Symbol symbol(const SymbolSpec& spec) const;

  /// Of all modules, each once.
  std::vector<std::string> texture_references() const;
  /// The paths of the files, for messages.
  std::string names() const { return names(PtxChoice()); }

  /// Where the code of another workload's modules may begin.
  std::uint64_t code_end() const { return loaded_.back()->code_end(); }

 private:
  const ptx::Module& module(std::size_t file) const;
  void check_launches(const std::vector<Statement>& statements) const;
  std::size_t file_of(const LaunchStatement& launch, const SourceMark& mark) const;
  /// Of the files that the choice leaves those for which `has` is true.
  std::vector<std::size_t> files_with(const PtxChoice& choice,
                                      const std::function<bool(const ptx::Module&)>& has) const;
  [[noreturn]] void fail_several(const SourceMark& mark, const std::string& what,
                                 const std::vector<std::size_t>& files) const;
  /// The names of the files that the choice leaves, for messages.
  std::string names(const PtxChoice& choice) const;

  const Workload& workload_;
  std::vector<ptx::Module> modules_;  ///< until they are placed
  std::vector<std::unique_ptr<ptx::LoadedModule>> loaded_;
};

}  // namespace heddle
