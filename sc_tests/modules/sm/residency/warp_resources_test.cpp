// Warp-level resources (WarpMan) in an issue stage with its dispatcher.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "sc_tests/modules/sm/watched_rig.h"
#include "sc_tests/support/stat_values.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
using testing::FakeKernel;
using testing::IssueRig;
using testing::managed;
using testing::random_kernel;
using testing::WatchedRig;

/// WarpMan figure 1: 32 registers, 256 threads, and the first warp of a TB goes round and round.
void figure_1(FakeKernel& kernel) {
  kernel.registers = 32;
  kernel.fma({1}, {2});
  kernel.branch(0, 300);
  kernel.op(1).only_warp = 0;
  kernel.exit();
}

unsigned peak_of_figure_1(const std::string& management) {
  WatchedRig rig(management, managed(management));
  FakeKernel kernel(40, 256);
  figure_1(kernel);
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(100000);
  EXPECT_EQ(rig.ended.size(), 40U);
  return rig.peak;
}

TEST(WarpResourcesTest, ByTbFourBlocksOfFigure1AreResident) { EXPECT_EQ(peak_of_figure_1("tb"), 4U); }
TEST(WarpResourcesTest, EarlyReleaseMakesThemEight) { EXPECT_EQ(peak_of_figure_1("warp_temporal"), 8U); }
TEST(WarpResourcesTest, WithPartialBlocksToo) { EXPECT_EQ(peak_of_figure_1("warp_temporal_spatial"), 8U); }

// Nearly all instructions are those of 40 long warps, of which either scheduler should have 20.
void expect_spread_long_warps(const std::string& management) {
  WatchedRig rig(management, managed(management));
  FakeKernel kernel(40, 256);
  figure_1(kernel);
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(100000);
  std::array<std::uint64_t, 2> issued{};
  for (const auto& issue : rig.issues) ++issued[issue.warp % 2];
  EXPECT_LT(std::max(issued[0], issued[1]), std::min(issued[0], issued[1]) * 3 / 2)
      << issued[0] << ", " << issued[1];
}

TEST(WarpResourcesTest, EarlyReleaseSpreadsLongWarpsOverTheSchedulers) {
  expect_spread_long_warps("warp_temporal");
}
TEST(WarpResourcesTest, PartialBlocksDoSoToo) { expect_spread_long_warps("warp_temporal_spatial"); }

TEST(WarpResourcesTest, AnUnissuedWarpStartsOneCycleAndATbTwoCyclesAfterAWarpRetired) {
  GpuConfig config = managed("warp_temporal_spatial");
  config.core.registers = 3 * kWarpSize * 16;
  WatchedRig rig("rig", config);
  FakeKernel kernel(3, 64);
  kernel.registers = 16;
  kernel.fma({1}, {2});
  kernel.branch(0, 5);
  kernel.op(1).only_warp = 0;
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(2000);
  ASSERT_EQ(rig.lives.size(), 6U);
  const auto& lives = rig.lives;
  // TB 0 with two warps and TB 1 with its first one; the second takes what the short warp of TB 0 gives back.
  EXPECT_EQ(lives[1].tb, 0U);
  EXPECT_EQ(lives[2].tb, 1U);
  EXPECT_EQ(lives[3].tb, 1U);
  EXPECT_EQ(lives[3].start, lives[1].end + 1);
  // TB 2 is given by the dispatcher when the next one ends.
  const Cycle next = std::min({lives[0].end, lives[2].end, lives[3].end});
  EXPECT_EQ(lives[4].tb, 2U);
  EXPECT_EQ(lives[4].start, next + 2);
  EXPECT_EQ(rig.ended.size(), 3U);
  for (unsigned w = 0; w < 3; ++w) EXPECT_LT(rig.issue->warps().age[w], 6U);
}

// The second warp of TB 1 starts late: it ends last, though the first one lives longer.
TEST(WarpResourcesTest, UnusedWarpCyclesAreCountedAgainstTheLongestWarpOfEachTb) {
  GpuConfig config = managed("warp_temporal_spatial");
  config.core.registers = 3 * kWarpSize * 16;
  WatchedRig rig("rig", config);
  FakeKernel kernel(2, 64);
  kernel.registers = 16;
  kernel.fma({1}, {2});
  kernel.branch(0, 20);
  kernel.fma({1}, {2});
  kernel.branch(2, 10);
  kernel.op(3).only_warp = 0;
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(3000);
  ASSERT_EQ(rig.ended.size(), 2U);
  std::map<std::uint64_t, std::vector<WatchedRig::Life>> warps;
  for (const auto& life : rig.lives) warps[life.tb].push_back(life);
  ASSERT_EQ(warps[0].size(), 2U);
  ASSERT_EQ(warps[1].size(), 2U);
  EXPECT_GT(warps[1][1].end, warps[1][0].end);
  std::uint64_t all = 0;
  std::uint64_t used = 0;
  for (const auto& [tb, lives] : warps) {
    const Cycle first = lives[0].end - lives[0].start;
    const Cycle second = lives[1].end - lives[1].start;
    EXPECT_GT(first, second) << "TB " << tb;
    all += 2 * first;
    used += first + second;
  }
  test::StatValues stats;
  rig.issue->report(stats);
  EXPECT_EQ(stats.values["tb_warp_cycles"], all);
  EXPECT_EQ(stats.values["unused_warp_cycles"], all - used);
  test::StatValues of_dispatcher;
  rig.dispatcher->report(of_dispatcher);
  EXPECT_EQ(of_dispatcher.values["tbs_dispatched"], 2);
  EXPECT_EQ(of_dispatcher.values["partial_tbs"], 1);
}

TEST(WarpResourcesTest, AgeIsTheOrderOfLaunchOnTheSm) {
  GpuConfig config = managed("warp_temporal_spatial");
  config.core.registers = 3 * kWarpSize * 16;
  WatchedRig rig("rig", config);
  std::vector<std::uint64_t> ages;
  rig.issue->residency.warp_started.listen(
      [&](unsigned w, const TbTransaction&, Cycle) { ages.push_back(rig.issue->warps().age[w]); });
  FakeKernel kernel(3, 64);
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(500);
  EXPECT_THAT(ages, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(WarpResourcesTest, APartialTbWaitsAtItsBarrierForUnissuedWarps) {
  GpuConfig config = managed("warp_temporal_spatial");
  config.core.registers = 3 * kWarpSize * 16;
  WatchedRig rig("rig", config);
  FakeKernel kernel(2, 64);
  kernel.barrier();
  kernel.fma({1}, {2});
  kernel.branch(1, 20);
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(2000);
  ASSERT_EQ(rig.lives.size(), 4U);
  ASSERT_EQ(rig.ended.size(), 2U);
  using Released = std::pair<std::uint64_t, unsigned>;
  const Cycle last_start = rig.lives[3].start;
  for (const auto& issue : rig.issues) {
    // Nothing after the barrier issues in TB 1 (its first warp is in slot 3) before its second warp has
    // started.
    if (issue.warp == 3 && issue.cycle < last_start) {
      EXPECT_EQ(issue.index, 0U);
    }
  }
  EXPECT_THAT(kernel.released_barriers, ElementsAre(Released(0, 0), Released(1, 0)));
}

TEST(WarpResourcesTest, TellsWhichWarpsOfATbAreUnissued) {
  GpuConfig config = managed("warp_temporal_spatial");
  config.core.registers = 3 * kWarpSize * 16;
  WatchedRig rig("rig", config);
  FakeKernel kernel(2, 64);
  kernel.branch(0, 1000);
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(100);
  EXPECT_THAT(rig.issue->describe_waiting(),
              ::testing::HasSubstr("SM 0: kernel 'fake', TB 1: warps 1 to 1 wait for registers"));
}

struct RandomRun {
  RandomRun(std::uint32_t seed, const std::string& name, IssueRig::Options options)
      : RandomRun(std::mt19937(seed), name, options) {}
  RandomRun(std::mt19937 random, const std::string& name, IssueRig::Options options)
      : kernel(random_kernel(random)), rig(name, random_limits(random), options) {
    rig.dispatcher->launch(*kernel, 0);
  }
  /// Limits that hold one TB of any random kernel at least.
  static GpuConfig random_limits(std::mt19937& random) {
    const auto draw = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
    GpuConfig config = managed(draw(4) == 0 ? "warp_temporal" : "warp_temporal_spatial");
    config.core.resources.contention = draw(2) == 0 ? "none" : "threshold";
    config.core.resources.contention_warps = 1 + draw(20);
    config.core.warps = 16 + 2 * draw(16);
    config.core.threads = config.core.warps * kWarpSize;
    config.core.registers = 48 * kWarpSize * 16 + 512 * draw(20);
    config.core.shared_bytes = 15104 + 256 * draw(60);
    config.core.tb_slots = 1 + draw(8);
    config.scheduler.name = draw(2) == 0 ? "lrr" : "gto";
    return config;
  }
  std::unique_ptr<FakeKernel> kernel;
  WatchedRig rig;
};

TEST(WarpResourcesTest, RandomKernelsUnderRandomLimitsEndWhateverSleepsOrIsBuiltFirst) {
  std::vector<std::array<std::unique_ptr<RandomRun>, 3>> runs;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const std::string name = "seed" + std::to_string(seed);
    runs.push_back({std::make_unique<RandomRun>(seed, name, IssueRig::Options{}),
                    std::make_unique<RandomRun>(seed, name + "_awake", IssueRig::Options{false, false}),
                    std::make_unique<RandomRun>(seed, name + "_reversed", IssueRig::Options{true, true})});
  }
  runs.front()[0]->rig.run_to(30000);
  unsigned partial = 0;
  for (const auto& [plain, awake, reversed] : runs) {
    plain->rig.clock.rethrow_fault();
    const std::uint64_t tbs = plain->kernel->grid().count();
    EXPECT_EQ(plain->rig.ended.size(), tbs) << plain->rig.issue->describe_waiting();
    EXPECT_EQ(plain->rig.lives.size(), tbs * plain->kernel->warps_per_tb());
    EXPECT_TRUE(plain->rig.dispatcher->idle());
    EXPECT_TRUE(plain->rig.issues == awake->rig.issues);
    EXPECT_TRUE(plain->rig.issues == reversed->rig.issues);
    std::map<std::uint64_t, Cycle> first_start;
    bool any = false;
    for (const auto& life : plain->rig.lives)
      any |= first_start.emplace(life.tb, life.start).first->second != life.start;
    partial += any ? 1 : 0;
  }
  EXPECT_GE(partial, 10U) << "runs in which warps of a TB started at different times";
}

}  // namespace
}  // namespace heddle
