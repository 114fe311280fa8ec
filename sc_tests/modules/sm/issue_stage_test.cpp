// Resources, causes and reports of the issue stage.
#include "modules/sm/issue_stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "modules/warp_scheduler/policies/two_level/parameters.h"
#include "sc_tests/modules/sm/issue_rig.h"

namespace heddle {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::FakeKernel;
using ::testing::HasSubstr;
using testing::IssueRig;

TEST(IssueStageTest, HoldsAsManyTbsAsFitAndReusesTheirSlots) {
  IssueRig rig;
  FakeKernel kernel(12, 256);  // 8 warps: 6 TBs fit
  kernel.load({1});
  kernel.fma({1}, {1});
  kernel.exit();
  std::vector<std::pair<std::uint64_t, unsigned>> slots;
  std::vector<WarpMask> warps(12, 0);
  rig.issue->residency.warp_started.listen([&](unsigned warp, const TbTransaction& tb, Cycle /*cycle*/) {
    warps[tb.tb] |= warp_bit(warp);
    if (slots.empty() || slots.back().first != tb.tb) slots.emplace_back(tb.tb, tb.tb_slot.value());
  });
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(40);
  EXPECT_EQ(slots.size(), 6U);
  EXPECT_EQ(rig.issue->warps().resident, (WarpMask{1} << 48U) - 1);
  rig.run_to(3000);
  ASSERT_EQ(slots.size(), 12U);
  for (const auto& [tb, slot] : slots) EXPECT_EQ(warps[tb], WarpMask{0xFF} << (8 * slot)) << tb;
  EXPECT_EQ(rig.issue->statistics().tbs, 12U);
  EXPECT_EQ(rig.issue->statistics().warps, 96U);
  EXPECT_FALSE(rig.issue->residency.tbs() != 0);
}

TEST(IssueStageTest, RefusesATbForWhichItLacksResources) {
  GpuConfig config;
  config.core.tb_slots = 1;
  IssueRig rig(config);
  FakeKernel kernel(1, 32);
  kernel.load({1});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(5);
  TbTransaction another;
  another.launch = &kernel;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  EXPECT_EQ(rig.dispatcher->sm[0]->nb_transport_fw(another, phase, delay), tlm::TLM_COMPLETED);
  EXPECT_TRUE(another.refused);
}

TEST(IssueStageTest, AgesFollowTheOrderOfLaunch) {
  IssueRig rig;
  FakeKernel kernel(3, 64);
  kernel.load({1});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(10);
  for (unsigned w = 0; w < 6; ++w) EXPECT_EQ(rig.issue->warps().age[w], w);
}

TEST(IssueStageTest, ChargesScoreboardCyclesToTheProducer) {
  IssueRig rig;
  FakeKernel kernel;
  kernel.load({1});
  kernel.fma({2}, {1});  // + 46: 45 cycles between, none of them without a valid instruction
  kernel.sfu({3}, {100});
  kernel.fma({4}, {3});  // + 14
  kernel.memory(MemOp::kLoad, Space::kShared, {5}, {});
  kernel.fma({6}, {5});  // + 46
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(400);
  EXPECT_EQ(rig.cycles_of_cause(0, IssueCause::kScoreboardMemory), 45U);
  EXPECT_EQ(rig.cycles_of_cause(0, IssueCause::kScoreboardSfu), 13U);
  EXPECT_EQ(rig.cycles_of_cause(0, IssueCause::kScoreboardShared), 45U);
  EXPECT_EQ(rig.cycles_of_cause(0, IssueCause::kIssued), 7U);
  EXPECT_EQ(cycles_of(rig.issue->issuer.scheduler(1).cycles(), IssueClass::kIdle), 400U);
  EXPECT_EQ(rig.cycles_of_cause(1, IssueCause::kEmpty), 400U);
}

TEST(IssueStageTest, ChargesAWarpHeldBackByThePolicy) {
  GpuConfig config;
  config.scheduler.name = "two_level_active";
  config.scheduler.settings.edit(two_level_active_parameters).active_warps = 1;
  config.scheduler.settings.edit(two_level_active_parameters).long_wait = LongWait::kUntilData;
  IssueRig rig(config);
  FakeKernel kernel(1, 96);  // warps 0 and 2 share a scheduler
  kernel.sfu({1}, {100});
  kernel.fma({2}, {1});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(200);
  EXPECT_GT(rig.cycles_of_cause(0, IssueCause::kPolicy), 0U);
  EXPECT_GT(rig.issue_cycle(2, 0), rig.issue_cycle(0, 2));  // only when warp 0 has finished
}

TEST(IssueStageTest, DescribesWhereWarpsWait) {
  IssueRig rig;
  FakeKernel kernel(1, 64);
  kernel.branch_of_warp(1, 2);
  kernel.barrier(0);
  kernel.barrier(1);
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(500);
  const std::string text = rig.issue->describe_waiting();
  EXPECT_THAT(text,
              HasSubstr("warp slot 0: kernel 'fake', TB 0, warp 0: waits at barrier 0, which 1 of 2 warps"));
  EXPECT_THAT(text, HasSubstr("warp 1: waits at barrier 1, which 1 of 2 warps have reached"));
  EXPECT_THAT(text, AllOf(HasSubstr("fake.ptx:3: op2"), HasSubstr("  at 2")));
  EXPECT_LT(rig.issue->issuer.last_progress(), 100U);
  EXPECT_TRUE(rig.issue->residency.tbs() != 0);
}

TEST(IssueStageTest, TellsWhenItIsEmpty) {
  IssueRig rig;
  FakeKernel kernel(10, 32);
  kernel.exit();
  std::vector<Cycle> emptied;
  rig.issue->residency.emptied.listen([&](Cycle cycle) { emptied.push_back(cycle); });
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(500);
  ASSERT_EQ(rig.ended.size(), 10U);
  EXPECT_EQ(emptied.back(), rig.ended.back().second);
  EXPECT_EQ(rig.issue->describe_waiting(), "");
}

TEST(IssueStageTest, ResidencyIsCountedInCycles) {
  IssueRig rig;
  FakeKernel kernel(1, 64);
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(500);
  // Given at 1, started at 2; both warps retire at the edges at which their exits are seen to be complete.
  const std::uint64_t end = rig.ended[0].second;
  EXPECT_EQ(rig.issue->statistics().active_cycles, end - 2);
  const std::uint64_t first = rig.issue_cycle(0, 0) + 7;
  const std::uint64_t second = rig.issue_cycle(1, 0) + 7;
  EXPECT_EQ(rig.issue->statistics().warp_cycles, (first - 2) + (second - 2));
}

TEST(IssueStageTest, RejectsAConfigurationItCannotHold) {
  GpuConfig config;
  config.core.warps = 65;
  EXPECT_THROW(IssueRig rig(config), std::invalid_argument);
}

}  // namespace
}  // namespace heddle
