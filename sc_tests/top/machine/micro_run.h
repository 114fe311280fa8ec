// Runs a workload of workloads/kernels/micro on the whole GPU; one per process.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sc_tests/support/paths.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "workloads/description/workload_loader.h"

namespace heddle {

class MicroRun {
 public:
  /// `name`: a file of workloads/kernels/micro without .yaml, or another file's path from the project folder;
  /// `assignments`: configuration keys, KEY=VALUE.
  explicit MicroRun(const std::string& name, const std::string& size = "",
                    std::map<std::string, std::int64_t> parameters = {},
                    const std::vector<std::string>& assignments = {}) {
    const bool is_path = name.find('/') != std::string::npos;
    const Workload workload = load_workload(test::source_dir() + "/" +
                                            (is_path ? name : "workloads/kernels/micro/" + name + ".yaml"));
    parameters.merge(workload.size_parameters(size));
    HostProgram program(workload, parameters);
    const std::unique_ptr<Gpu> gpu = build_gpu(load_config("", assignments));
    Host host("host", *gpu, program, {});
    result_ = host.run();
  }

  bool complete() const { return result_.end == RunEnd::kComplete; }
  /// Core cycles of every launch of `kernel`, in order.
  std::vector<double> cycles(const std::string& kernel) const {
    std::vector<double> cycles;
    for (const LaunchResult& launch : result_.launches) {
      if (launch.kernel == kernel) cycles.push_back(static_cast<double>(launch.cycles));
    }
    return cycles;
  }
  /// Cycles of one operation in each of the kernel's variants, from workloads that run every variant with 1,
  /// 1 + n and 1 + 2 * n rounds, where `operations` are those of n rounds.
  std::vector<double> costs(const std::string& kernel, double operations) const {
    const std::vector<double> all = cycles(kernel);
    const std::size_t variants = all.size() / 3;
    std::vector<double> costs;
    for (std::size_t i = 0; i < variants; ++i) {
      costs.push_back((all[2 * variants + i] - all[variants + i]) / operations);
    }
    return costs;
  }

 private:
  RunResult result_;
};

}  // namespace heddle
