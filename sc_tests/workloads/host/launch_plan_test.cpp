// What a workload launches, known before anything runs.
#include "workloads/host/launch_plan.h"

#include <gtest/gtest.h>

#include <string>

#include "sc_tests/support/paths.h"
#include "workloads/description/workload_loader.h"
#include "workloads/host/host_program.h"

namespace heddle {
namespace {

Workload kernel(const std::string& name) {
  return load_workload(test::source_dir() + "/workloads/kernels/" + name + "/" + name + ".yaml");
}

Workload with_launches(const std::string& launches) {
  return load_workload_text(
      "ptx: vector_add.ptx\nparameters: {n: 1000}\n"
      "buffers:\n  a: {type: f32, count: n}\n  b: {type: f64, count: 3}\n"
      "launches:\n" +
          launches,
      test::source_dir() + "/workloads/kernels/vector_add/plan.yaml");
}

std::string launch_of(const std::string& grid) {
  return "{kernel: vector_add, grid: \"" + grid + "\", block: 96, args: [a, a, a, n]}";
}

TEST(LaunchPlan, HasTheLaunchesOfTheHostProgram) {
  const Workload workload = kernel("hotspot");
  const LaunchPlan plan(workload);
  HostProgram program(workload);
  std::uint64_t launches = 0;
  while (const auto launch = program.next()) {
    ++launches;
    ASSERT_EQ(plan.launches().size(), 1U);
    const KernelLaunch& planned = *plan.launches()[0].launch;
    EXPECT_EQ(planned.grid().count(), launch->grid().count());
    EXPECT_EQ(planned.block().count(), launch->block().count());
    EXPECT_EQ(planned.shared_bytes(), launch->shared_bytes());
    EXPECT_EQ(planned.registers_per_thread(), launch->registers_per_thread());
  }
  EXPECT_EQ(plan.launches()[0].times, launches);
  EXPECT_FALSE(plan.launches()[0].by_data);
}

TEST(LaunchPlan, CountsLaunchesOfOneShapeTogether) {
  const LaunchPlan plan(with_launches("  - repeat: {count: 5, as: k, launches: [" + launch_of("1 + k % 2") +
                                      "]}\n  - " + launch_of("2") + "\n"));
  ASSERT_EQ(plan.launches().size(), 2U);
  EXPECT_EQ(plan.launches()[0].launch->grid().x, 1U);
  EXPECT_EQ(plan.launches()[0].times, 3U);
  EXPECT_EQ(plan.launches()[1].launch->grid().x, 2U);
  EXPECT_EQ(plan.launches()[1].times, 3U);
  EXPECT_EQ(plan.launches()[0].launch->threads_per_tb(), 96U);
  EXPECT_EQ(plan.buffer_bytes(), 1000 * 4U + 3 * 8U);
}

TEST(LaunchPlan, EntersALoopOverDataOnce) {
  const LaunchPlan plan(with_launches("  - while: {buffer: a, index: 0, less: 1, launches: [" +
                                      launch_of("4") + "]}\n  - " + launch_of("4") + "\n"));
  ASSERT_EQ(plan.launches().size(), 2U);
  EXPECT_TRUE(plan.launches()[0].by_data);
  EXPECT_EQ(plan.launches()[0].times, 1U);
  EXPECT_FALSE(plan.launches()[1].by_data);
}

TEST(LaunchPlan, TakesParameters) {
  const LaunchPlan plan(with_launches("  - " + launch_of("n / 100") + "\n"), {{"n", 700}});
  EXPECT_EQ(plan.launches().at(0).launch->grid().x, 7U);
  EXPECT_EQ(plan.buffer_bytes(), 700 * 4U + 3 * 8U);
}

TEST(LaunchPlan, RefusesEndlessLoopsAndBadExtents) {
  EXPECT_THROW(
      LaunchPlan(with_launches("  - repeat: {count: 2000000, launches: [" + launch_of("4") + "]}\n")),
      WorkloadError);
  EXPECT_THROW(LaunchPlan(with_launches("  - " + launch_of("0") + "\n")), WorkloadError);
}

TEST(LaunchPlan, AnElementThatIsNotWrittenYetCountsAsOneAndMarksTheLaunch) {
  const LaunchPlan plan(with_launches("  - repeat: {count: \"a[0] + 2\", launches: [" + launch_of("4") +
                                      "]}\n  - " + launch_of("5 * a[1]") + "\n  - " + launch_of("6") + "\n"));
  ASSERT_EQ(plan.launches().size(), 3U);
  EXPECT_EQ(plan.launches()[0].times, 3U);
  EXPECT_TRUE(plan.launches()[0].by_data);
  EXPECT_EQ(plan.launches()[1].launch->grid().x, 5U);
  EXPECT_TRUE(plan.launches()[1].by_data);
  EXPECT_FALSE(plan.launches()[2].by_data);
}

}  // namespace
}  // namespace heddle
