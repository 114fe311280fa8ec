#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "modules/config/gpu_config.h"
#include "top/machine/host.h"
#include "top/options/options.h"
#include "workloads/host/host_program.h"

namespace heddle {

/// The workloads of a run, with their buffers in one device memory: one, or several that run at the same
/// time. With several, names of buffers, streams and parameters begin with their workload's: "atax.x".
class ProgramSet {
 public:
  /// Loads the workloads that the options name and applies sizes and parameters. Throws as load_workload()
  /// and HostProgram do, and std::invalid_argument for a parameter that none of them has, or a file of run
  /// times alone that can't be read. `config` is the machine that the PTX is compiled for.
  ProgramSet(const RunOptions& options, const GpuConfig& config);

  /// Its kernels may run at the same time.
  bool concurrent() const { return concurrent_; }
  std::size_t size() const { return programs_.size(); }
  HostProgram& program(std::size_t index) { return *programs_[index]; }
  /// All streams, with their arrivals and run times alone.
  std::vector<HostStream> streams() const;
  /// "atax", "atax+hotspot".
  std::string name() const;
  std::string sizes() const;
  /// As they are in force.
  std::map<std::string, std::int64_t> parameters() const;
  std::vector<CheckResult> check() const;
  /// Throws OccupancyError for a kernel of which no TB fits on an SM, as far as that is known before anything
  /// runs.
  void check_launches(const RunOptions& options, const GpuConfig& config) const;
  /// As HostProgram::dumps() of each.
  std::vector<BufferDump> dumps(const std::vector<std::string>& whole) const;

 private:
  struct Part {
    std::string name;
    std::string size;
    std::map<std::string, std::int64_t> parameters;
    std::uint64_t arrival_cycles = 0;
    std::string alone;  ///< file
  };

  void add(const RunOptions& options, const GpuConfig& config, const std::string& workload,
           std::size_t place);

  bool concurrent_;
  bool several_;
  std::unique_ptr<DeviceMemory> memory_;  ///< of several
  std::vector<Part> parts_;
  std::vector<std::unique_ptr<HostProgram>> programs_;
};

}  // namespace heddle
