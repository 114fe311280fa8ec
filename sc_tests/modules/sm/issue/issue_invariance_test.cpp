// What must hold whatever runs: charges sum to the cycles, and neither sleeping nor the order of construction
// changes anything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "modules/warp_scheduler/policies/ccws/parameters.h"
#include "modules/warp_scheduler/policies/two_level/parameters.h"
#include "sc_tests/modules/sm/issue_rig.h"

namespace heddle {
namespace {

using testing::FakeKernel;
using testing::IssueRig;

/// Some of everything: dependences, loads, SFU, divergence of warps, barriers, membar.
std::unique_ptr<FakeKernel> mixed_kernel() {
  auto kernel = std::make_unique<FakeKernel>(20, 160);
  kernel->load({1}, {0});
  kernel->fma({2}, {3});
  kernel->sfu({4}, {2});
  kernel->load({5}, {100});
  kernel->branch_of_warp(1, 7);
  kernel->fma({6}, {1});
  kernel->sfu({7}, {6, 4});
  kernel->barrier();
  kernel->fma({8}, {5});
  kernel->store({8});
  kernel->branch(1, 3);
  kernel->membar();
  kernel->barrier(1);
  kernel->exit();
  return kernel;
}

struct MixedRun {
  explicit MixedRun(const std::string& name, const GpuConfig& config, IssueRig::Options options)
      : rig(name, config, options), kernel(mixed_kernel()) {
    rig.dispatcher->launch(*kernel, 0);
    rig.collector->closed_until = 150;
  }
  IssueRig rig;
  std::unique_ptr<FakeKernel> kernel;
};

void expect_equal(const MixedRun& a, const MixedRun& b) {
  EXPECT_TRUE(a.rig.issues == b.rig.issues);
  EXPECT_EQ(a.rig.ended, b.rig.ended);
  EXPECT_EQ(a.rig.memory->requests, b.rig.memory->requests);
  for (unsigned s = 0; s < 2; ++s) {
    EXPECT_EQ(a.rig.issue->issuer.scheduler(s).cycles(), b.rig.issue->issuer.scheduler(s).cycles());
  }
  const IssueStatistics& x = a.rig.issue->statistics();
  const IssueStatistics& y = b.rig.issue->statistics();
  EXPECT_EQ(x.active_cycles, y.active_cycles);
  EXPECT_EQ(x.warp_cycles, y.warp_cycles);
  EXPECT_EQ(x.barrier_wait_cycles, y.barrier_wait_cycles);
  EXPECT_EQ(x.barriers, y.barriers);
}

class IssueInvarianceTest : public ::testing::TestWithParam<const char*> {};

TEST_P(IssueInvarianceTest, SleepingAndConstructionOrderChangeNothing) {
  GpuConfig config;
  const std::string name = GetParam();
  const bool until_data = name == "two_level_active, until_data";
  config.scheduler.name = until_data ? "two_level_active" : name;
  if (until_data)
    config.scheduler.settings.edit(two_level_active_parameters).long_wait = LongWait::kUntilData;
  config.scheduler.settings.edit(two_level_parameters).fetch_group_warps = 4;
  config.scheduler.settings.edit(two_level_active_parameters).active_warps = 2;
  config.scheduler.settings.edit(swl_parameters).warps = 3;  // fewer than a TB has, which meet at barriers
  MixedRun plain("plain", config, {});
  MixedRun awake("awake", config, {false, false});
  MixedRun reversed("reversed", config, {true, true});
  constexpr Cycle kCycles = 20000;
  plain.rig.run_to(kCycles);
  awake.rig.issue->settle();
  reversed.rig.issue->settle();

  EXPECT_EQ(plain.rig.ended.size(), 20U);
  EXPECT_TRUE(plain.rig.dispatcher->idle());
  EXPECT_LT(plain.rig.clock.ticks_executed(), awake.rig.clock.ticks_executed());
  expect_equal(plain, awake);
  expect_equal(plain, reversed);

  for (unsigned s = 0; s < 2; ++s) {
    const CauseCycles& cycles = plain.rig.issue->issuer.scheduler(s).cycles();
    EXPECT_EQ(std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0}), kCycles);
    std::uint64_t by_class = 0;
    for (unsigned c = 0; c < kNumIssueClasses; ++c) by_class += cycles_of(cycles, static_cast<IssueClass>(c));
    EXPECT_EQ(by_class, kCycles);
  }
  std::uint64_t issued = 0;
  for (unsigned s = 0; s < 2; ++s) issued += plain.rig.cycles_of_cause(s, IssueCause::kIssued);
  EXPECT_EQ(issued, plain.rig.issues.size());
  const auto& by_lanes = plain.rig.issue->statistics().by_lanes;
  EXPECT_EQ(std::accumulate(by_lanes.begin(), by_lanes.end(), std::uint64_t{0}), issued);
}

TEST_P(IssueInvarianceTest, NorDoTheyWhenAChoiceTakesSeveralCycles) {
  GpuConfig config;
  const std::string name = GetParam();
  config.scheduler.name = name.substr(0, name.find(','));
  config.scheduler.timing = hw::Timing::kHardware;
  config.scheduler.choice_cycles = 3;
  config.scheduler.settings.edit(two_level_active_parameters).active_warps = 2;
  config.scheduler.settings.edit(swl_parameters).warps = 3;
  MixedRun plain("plain", config, {});
  MixedRun awake("awake", config, {false, false});
  MixedRun reversed("reversed", config, {true, true});
  constexpr Cycle kCycles = 60000;
  plain.rig.run_to(kCycles);
  awake.rig.issue->settle();
  reversed.rig.issue->settle();
  EXPECT_EQ(plain.rig.ended.size(), 20U);
  EXPECT_LT(plain.rig.clock.ticks_executed(), awake.rig.clock.ticks_executed());
  expect_equal(plain, awake);
  expect_equal(plain, reversed);
}

INSTANTIATE_TEST_SUITE_P(Policies, IssueInvarianceTest,
                         ::testing::Values("lrr", "gto", "oldest", "two_level", "two_level_active",
                                           "two_level_active, until_data", "swl+two_level_active", "swl+gto",
                                           "swl+lrr", "ccws+gto", "mascar", "mascar+lrr", "least_issued",
                                           "ipaws", "adapt_local"));

TEST(IssueInvarianceTest, SettlingInBetweenChangesNothing) {
  MixedRun once("once", {}, {});
  MixedRun often("often", {}, {});
  for (Cycle cycle = 7; cycle < 3000; cycle += 13) {
    often.rig.run_to(cycle);
  }
  once.rig.run_to(3000);
  often.rig.issue->settle();
  expect_equal(once, often);
}

}  // namespace
}  // namespace heddle
