// The size `paper` of every workload: grids of which a scheduler's gains are not decided by the last round.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <set>
#include <string>
#include <vector>

#include "sc_tests/support/paths.h"
#include "top/catalog/paper_comparison.h"
#include "top/options/compile_options.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

constexpr double kRounds = 8;               // of TBs, on the 15 SMs of the default machine
constexpr std::uint64_t kBytes = 1U << 30;  // of buffers

const ProjectFiles& files() {
  static const ProjectFiles files(test::source_dir());
  return files;
}

/// Workloads whose paper's table says why their rounds are few.
std::set<std::string> excused() {
  std::set<std::string> names;
  for (const PaperEntry& entry : all_paper_entries(files())) {
    if (!entry.few_rounds.empty()) names.insert(entry.workload);
  }
  return names;
}

class PaperSizes : public testing::TestWithParam<std::string> {};

TEST_P(PaperSizes, HasEightRoundsOfThreadBlocksInAGigabyte) {
  const Workload workload = load_workload(files().workload(GetParam()));
  ASSERT_EQ(workload.sizes.count("paper"), 1U) << "the workload has no size `paper`";
  const GpuConfig config;
  ASSERT_EQ(config.core.sms, 15U);
  const WorkloadShape shape =
      shape_of(workload, "paper", {}, config.core, compile_options(config, {}, workload));
  EXPECT_LE(shape.buffer_bytes, kBytes);
  const double rounds = shape.main_launch().tb_rounds;
  if (excused().count(GetParam()) == 0) {
    EXPECT_GE(rounds, kRounds) << shape.main_launch().kernel << " has " << shape.main_launch().tbs()
                               << " TBs; if it can't have more, `few_rounds` in workloads/papers says why";
  } else {
    EXPECT_LT(rounds, kRounds) << "`few_rounds` in workloads/papers excuses what is not so";
  }
}

TEST(Verification, RunsAllWorkloadsAtTheirPapersSizes) {
  const YAML::Node experiment = YAML::LoadFile(test::source_dir() + "/experiments/verification.yaml");
  std::vector<std::string> expected;
  for (const std::string& name : files().workload_names()) expected.push_back(name + ":paper");
  EXPECT_EQ(experiment["workloads"].as<std::vector<std::string>>(), expected);
}

INSTANTIATE_TEST_SUITE_P(All, PaperSizes, testing::ValuesIn(files().workload_names()),
                         [](const auto& workload) { return workload.param; });

}  // namespace
}  // namespace heddle
