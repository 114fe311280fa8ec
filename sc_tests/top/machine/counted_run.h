// A kernel of workloads/kernels on a whole GPU, and all that it counts.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "sc_tests/support/paths.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "workloads/description/workload_loader.h"

namespace heddle {

struct CountedRun {
  std::string name;  ///< of the test
  std::string kernel;
  std::map<std::string, std::int64_t> parameters;
  std::vector<std::string> assignments;  ///< configuration keys, KEY=VALUE

  friend std::ostream& operator<<(std::ostream& out, const CountedRun& run) { return out << run.name; }

  /// Runs it, once in a process: every figure of every block, a line each, and the number of launches.
  std::string counts(const GpuBuild& build = {}) const {
    HostProgram program(
        load_workload(test::source_dir() + "/workloads/kernels/" + kernel + "/" + kernel + ".yaml"),
        parameters);
    const std::unique_ptr<Gpu> gpu = build_gpu(load_config("", assignments), build);
    Host host("host", *gpu, program, {});
    const RunResult result = host.run();
    EXPECT_EQ(result.end, RunEnd::kComplete) << result.reason;
    std::string text = std::to_string(result.launches.size()) + " launches\n";
    for (const Metric& metric : host.registry().metrics()) {
      text += metric.full_name() + " " +
              (metric.is_count ? std::to_string(result.values.counts.at(metric.index))
                               : std::to_string(result.values.levels.at(metric.index))) +
              "\n";
    }
    return text;
  }
};

}  // namespace heddle
