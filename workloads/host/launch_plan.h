#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "workloads/description/workload.h"
#include "workloads/host/module_set.h"
#include "workloads/launch/device_memory.h"
#include "workloads/launch/kernel_launch.h"
#include "workloads/ptx/load.h"

namespace heddle {

/// Launches of one kernel that have the same shape.
struct PlannedLaunch {
  std::string kernel;
  /// For its shape and its program; its parameters are zeros, so that it is not to be run.
  std::unique_ptr<KernelLaunch> launch;
  std::uint64_t times = 0;  ///< how often; each round of a loop that ends by what kernels write counts once
  bool by_data = false;  ///< it stands in such a loop, or its shape or the rounds of its loop are a buffer's
};

/// What a workload launches, as far as that is known before anything runs: no buffer is allocated or filled.
/// Keeps a reference to the workload.
class LaunchPlan {
 public:
  /// Elements of buffers that expressions read count as 1. Throws WorkloadError, ptx::PtxError, and
  /// std::invalid_argument (override of an unknown parameter).
  explicit LaunchPlan(const Workload& workload,
                      const std::map<std::string, std::int64_t>& parameter_overrides = {},
                      const std::vector<ptx::CompileOptions>& compile = {});

  /// In the order in which the host comes to them, stream after stream.
  const std::vector<PlannedLaunch>& launches() const { return launches_; }
  /// Of all buffers.
  std::uint64_t buffer_bytes() const { return buffer_bytes_; }

 private:
  void visit(const std::vector<Statement>& statements, Scope& scope, bool by_data);
  void add(const LaunchStatement& statement, const SourceMark& mark, const Scope& scope, bool by_data);

  DeviceMemory memory_;
  ModuleSet modules_;
  std::vector<PlannedLaunch> launches_;
  std::uint64_t buffer_bytes_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace heddle
