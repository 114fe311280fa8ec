// Every built-in workload at its default size, some that take long there at a smaller one, on the machine,
// with outputs held against its CPU reference, under the schedulers of experiments/verification.yaml.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sc_tests/support/apart.h"
#include "sc_tests/support/paths.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "top/support/project_files.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

constexpr const char* kSchedulers[] = {"gto", "lrr", "pro", "ipaws", "oaws_dynamic", "ccws+gto", "mascar"};

/// Of those that take a second or more at their default sizes.
const std::map<std::string, std::map<std::string, std::int64_t>> kSmaller{
    {"bfs", {{"nodes", 4096}}},
    {"gesummv", {{"columns", 16}}},
    {"inverted_index", {{"chunks", 1024}}},
    {"kmeans_texture", {{"count", 3072}}},
    {"matrix_fragments", {{"matrices", 34}}},
    {"particle_filter", {{"count", 1024}}},
    {"spmv", {{"rows", 4096}}}};

struct SmallRun {
  std::string workload;
  std::string scheduler;
  friend std::ostream& operator<<(std::ostream& out, const SmallRun& run) {
    return out << run.workload << " under " << run.scheduler;
  }
};

std::vector<SmallRun> all_runs() {
  std::vector<SmallRun> runs;
  for (const std::string& workload : ProjectFiles(test::source_dir()).workload_names()) {
    for (const char* const scheduler : kSchedulers) runs.push_back({workload, scheduler});
  }
  return runs;
}

class SmallRuns : public ::testing::TestWithParam<SmallRun> {};

TEST_P(SmallRuns, AgreeWithTheirReference) {
  test::apart([] {
    const SmallRun& run = GetParam();
    const auto smaller = kSmaller.find(run.workload);
    HostProgram program(load_workload(ProjectFiles(test::source_dir()).workload(run.workload)),
                        smaller == kSmaller.end() ? std::map<std::string, std::int64_t>() : smaller->second);
    const std::unique_ptr<Gpu> gpu = build_gpu(load_config("", {"scheduler.name=" + run.scheduler}));
    Host host("host", *gpu, program, {});
    const RunResult result = host.run();
    EXPECT_EQ(result.end, RunEnd::kComplete) << result.reason;
    const std::vector<CheckResult> checks = program.check();
    EXPECT_FALSE(checks.empty());
    for (const CheckResult& check : checks) EXPECT_TRUE(check.passed) << check.message();
    return std::string();
  });
}

std::string name_of(const ::testing::TestParamInfo<SmallRun>& run) {
  std::string name = run.param.workload + "_under_" + run.param.scheduler;
  for (char& c : name) {
    if (c == '+') c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, SmallRuns, ::testing::ValuesIn(all_runs()), name_of);

}  // namespace
}  // namespace heddle
