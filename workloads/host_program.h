#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "workloads/device_memory.h"
#include "workloads/kernel_launch.h"
#include "workloads/output_check.h"
#include "workloads/ptx/execute.h"
#include "workloads/reference_memory.h"
#include "workloads/workload.h"

namespace heddle {

/// A copy from the host to the device. The reference machine installs its lines in the L2
/// (gtx480.md, "Clocks, size, occupancy").
struct HostCopy {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

/// Runs the host side of a workload without any timing: allocates and fills the buffers, yields one kernel
/// launch after the other, and performs host writes, swaps, loops and conditions between them.
class HostProgram {
 public:
  /// Loads the PTX, checks the launches against it, allocates and initialises the buffers. Throws
  /// WorkloadError, ptx::PtxError, std::invalid_argument (override of an unknown parameter) and
  /// std::length_error (more memory than there is). Keeps a copy of the workload.
  explicit HostProgram(Workload workload,
                       const std::map<std::string, std::int64_t>& parameter_overrides = {});

  const Workload& workload() const { return workload_; }
  const ptx::LoadedModule& module() const { return *loaded_; }
  DeviceMemory& memory() { return memory_; }
  const DeviceMemory& memory() const { return memory_; }

  /// The next launch, or nullptr when the program is finished. The launch before must have run to its end:
  /// conditions read what it wrote. The launch refers to this object. Throws WorkloadError.
  std::unique_ptr<KernelLaunch> next();

  /// Host-to-device copies since the last call, in order: all buffers before the first launch, single
  /// elements that the host has written later.
  std::vector<HostCopy> take_host_copies();

  /// Verifies the buffers after the end; one result per check, in order. Throws WorkloadError when an
  /// expected file can't be read.
  std::vector<CheckResult> check() const;

 private:
  /// A buffer's memory; names refer to it and may be swapped.
  struct Binding {
    std::uint64_t address = 0;
    std::uint64_t count = 0;
    ElementType type = ElementType::kF32;
  };
  /// One level of nested statements under way.
  struct Frame {
    const std::vector<Statement>* body = nullptr;
    std::size_t position = 0;
    const Statement* loop = nullptr;  ///< null for the top level
    std::int64_t iteration = 0;
    std::int64_t limit = 0;  ///< repeat: iterations; while: at_most
  };

  void allocate_buffers();
  std::unique_ptr<KernelLaunch> launch(const LaunchStatement& statement, const SourceMark& mark);
  void set(const SetStatement& statement);
  void swap(const SwapStatement& statement, const SourceMark& mark);
  void enter(const Statement& statement);
  void enter_body(const Statement& statement, const std::vector<Statement>& body, const std::string& variable,
                  std::int64_t limit);
  /// At the end of a loop's body: starts it again or leaves the loop.
  void end_of_body();
  bool holds(const WhileStatement& loop) const;
  Binding& binding(const std::string& name) { return bindings_.find(name)->second; }
  const Binding& binding(const std::string& name) const { return bindings_.find(name)->second; }
  CheckResult run_check(const CheckSpec& spec, const std::map<std::string, ReferenceMemory>& expected) const;
  ReferenceMemory first_contents() const;

  Workload workload_;
  Scope parameters_;
  Scope scope_;  ///< parameters and the loop variables in force
  DeviceMemory memory_;
  std::map<std::string, Binding> bindings_;
  std::unique_ptr<ptx::LoadedModule> loaded_;
  std::vector<HostCopy> copies_;
  std::vector<Frame> frames_;
};

}  // namespace heddle
