// Every built-in workload, run without timing, gives what its CPU reference computes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sc_tests/support/paths.h"
#include "workloads/checks/references.h"
#include "workloads/description/workload_loader.h"
#include "workloads/host/functional_run.h"
#include "workloads/host/host_program.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::string kernel_file(const std::string& name) {
  return test::source_dir() + "/workloads/kernels/" + name + "/" + name + ".yaml";
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(test::source_dir() + "/workloads/kernels")) {
    if (fs::exists(kernel_file(entry.path().filename().string()))) {  // micro has several, tested elsewhere
      names.push_back(entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Kernels : public testing::TestWithParam<std::string> {};

TEST_P(Kernels, AgreesWithItsReference) {
  HostProgram program(load_workload(kernel_file(GetParam())));
  const FunctionalCounts counts = run_functionally(program);
  RecordProperty("warp_instructions", std::to_string(counts.warp_instructions));
  // The default size that suits a simulation of some seconds.
  EXPECT_GE(counts.warp_instructions, 40'000U);
  EXPECT_LE(counts.warp_instructions, 1'500'000U);
  const auto results = program.check();
  ASSERT_FALSE(results.empty());
  for (const CheckResult& result : results) {
    EXPECT_TRUE(result.passed) << result.message();
  }
}

TEST_P(Kernels, ChecksFailWhenNothingRuns) {
  const HostProgram program(load_workload(kernel_file(GetParam())));
  for (const CheckResult& result : program.check()) {
    EXPECT_FALSE(result.passed) << result.message();
  }
}

TEST_P(Kernels, HasALargerSize) {
  const Workload workload = load_workload(kernel_file(GetParam()));
  EXPECT_EQ(workload.name, GetParam());
  EXPECT_FALSE(workload.description.empty());
  const char* larger = workload.sizes.count("paper") != 0 ? "paper" : "large";
  EXPECT_NO_THROW(workload.scope(workload.size_parameters(larger)));
}

INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(kernel_names()),
                         [](const auto& kernel) { return kernel.param; });

// No two workloads are the same kernel by two names.
TEST(References, AreThoseOfTheKernelFolders) { EXPECT_EQ(reference_names(), kernel_names()); }

}  // namespace
}  // namespace heddle
