// Exact cycles of the issue stage, its back end replaced by one of fixed latency.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sc_tests/modules/sm/issue_rig.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
using testing::FakeKernel;
using testing::IssueRig;

TEST(IssueTimingTest, ADependentFmaIssuesElevenCyclesLater) {
  IssueRig rig;
  FakeKernel kernel;
  kernel.fma({1}, {1});
  kernel.fma({1}, {1});
  kernel.fma({1}, {1});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(100);
  // Latency 5: 11 cycles from issue to issue, not 10 (gtx480.md, "SM pipeline"). The exit has no operands.
  EXPECT_THAT(rig.relative_issues(), ElementsAre(0, 11, 22, 23));
  // 1 to 10 and 13 to 21; at 12 the I-buffer was empty.
  EXPECT_EQ(rig.cycles_of_cause(0, IssueCause::kScoreboardAlu), 19U);
}

TEST(IssueTimingTest, ALoneWarpIssuesTwoIndependentInstructionsInThreeCycles) {
  IssueRig rig;
  FakeKernel kernel;
  for (std::uint16_t r = 0; r < 7; ++r) kernel.fma({r}, {100});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(100);
  EXPECT_THAT(rig.relative_issues(), ElementsAre(0, 1, 3, 4, 6, 7, 9, 10));
}

TEST(IssueTimingTest, AWriteToAPendingRegisterWaitsAReadOfAnOldOneDoesNot) {
  IssueRig rig;
  FakeKernel kernel;
  kernel.fma({1}, {2});
  kernel.fma({1}, {3});  // WAW
  kernel.fma({2}, {1});  // RAW
  kernel.fma({1}, {4});  // WAR and WAW with index 1 only
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(100);
  EXPECT_THAT(rig.relative_issues(), ElementsAre(0, 11, 22, 23, 25));
}

TEST(IssueTimingTest, ATakenBranchInTheFirstPlaceFlushesTheBufferAtTheNextEdge) {
  IssueRig rig;
  FakeKernel kernel;
  kernel.branch(2, 1);
  kernel.fma({1}, {1});
  kernel.fma({2}, {2});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(100);
  // Issued 0, flushed and fetched 1, decoded 2, issued 3.
  EXPECT_THAT(rig.relative_issues(), ElementsAre(0, 3, 4));
  EXPECT_EQ(rig.issue_cycle(0, 1), 0U);
  EXPECT_EQ(rig.cycles_of_cause(0, IssueCause::kFlush), 1U);
}

TEST(IssueTimingTest, BehindATakenBranchInTheLastPlaceTheFollowingInstructionsAreFetchedFirst) {
  IssueRig rig;
  FakeKernel kernel;
  kernel.fma({1}, {1});
  kernel.branch(3, 1);
  kernel.fma({2}, {2});
  kernel.fma({3}, {3});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(100);
  // fma 0, branch 1; 2 and 3 are fetched at 1, decoded at 2, thrown away at 3; 3 and 4 fetched at 3, decoded
  // at 4.
  EXPECT_THAT(rig.relative_issues(), ElementsAre(0, 1, 5, 6));
  EXPECT_EQ(rig.cycles_of_cause(0, IssueCause::kFlush), 2U);
}

TEST(IssueTimingTest, ATakenBranchAtTheEndOfTheCodeIsFetchedBehindAtOnce) {
  IssueRig rig;
  FakeKernel kernel;
  kernel.branch(3, 1);
  kernel.exit();
  kernel.fma({1}, {1});
  kernel.branch(1, 1);
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(100);
  // Branch 0, flushed and fetched at 1, issued at 3 from the last place of the code, fetched at 3, exit at 5.
  EXPECT_THAT(rig.relative_issues(), ElementsAre(0, 3, 5));
}

TEST(IssueTimingTest, ABarrierReleasesItsWarpsOneCycleAfterTheLastArrival) {
  IssueRig rig;
  FakeKernel kernel(1, 96);
  kernel.barrier();
  kernel.barrier(3);
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(100);
  const Cycle last = std::max({rig.issue_cycle(0, 0), rig.issue_cycle(1, 0), rig.issue_cycle(2, 0)});
  // Warps 0 and 2 share a scheduler; 1 has the other, and arrives between the two.
  EXPECT_EQ(last, rig.issue_cycle(2, 0));
  EXPECT_LT(rig.issue_cycle(1, 0), last);
  EXPECT_EQ(std::min(rig.issue_cycle(0, 1), rig.issue_cycle(2, 1)), last + 1);
  EXPECT_EQ(rig.issue_cycle(1, 1), last + 1);
  EXPECT_THAT(kernel.released_barriers, ElementsAre(std::pair<std::uint64_t, unsigned>{0, 0},
                                                    std::pair<std::uint64_t, unsigned>{0, 3}));
  EXPECT_EQ(rig.issue->statistics().barriers, 2U);
}

TEST(IssueTimingTest, ABarrierOfOneWarpCostsNothing) {
  IssueRig rig;
  FakeKernel kernel;
  for (unsigned i = 0; i < 3; ++i) kernel.barrier();
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(100);
  EXPECT_THAT(rig.relative_issues(), ElementsAre(0, 1, 3, 4));  // gtx480.md: 1.75 cycles, as others
}

TEST(IssueTimingTest, AWarpThatExitsLetsTheOthersPassTheBarrier) {
  IssueRig rig;
  FakeKernel kernel(1, 64);
  kernel.load({1});
  kernel.branch_of_warp(0, 4);
  kernel.barrier();
  kernel.exit();
  kernel.fma({2}, {1});  // warp 0: waits for its load, then exits
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(300);
  EXPECT_LT(rig.issue_cycle(1, 2), rig.issue_cycle(0, 5));
  EXPECT_EQ(rig.issue_cycle(1, 3), rig.issue_cycle(0, 5) + 1);
}

TEST(IssueTimingTest, TwoSchedulersTakeTurnsAtTheSingleLdstSlot) {
  IssueRig rig;
  FakeKernel kernel(1, 64);
  for (std::uint16_t r = 0; r < 8; ++r) kernel.load({r}, {100});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(200);
  std::vector<Cycle> loads;
  for (const auto& issue : rig.issues) {
    if (issue.index < 8) loads.push_back(issue.cycle);
  }
  ASSERT_EQ(loads.size(), 16U);
  for (std::size_t i = 1; i < loads.size(); ++i) EXPECT_GT(loads[i], loads[i - 1]) << i;
  EXPECT_GT(rig.cycles_of_cause(0, IssueCause::kPipelineLdst), 0U);
  EXPECT_GT(rig.cycles_of_cause(1, IssueCause::kPipelineLdst), 0U);
}

TEST(IssueTimingTest, WithoutRotationTheFirstSchedulerAlwaysGoesFirst) {
  GpuConfig config;
  config.core.rotate_schedulers = false;
  IssueRig rig(config);
  FakeKernel kernel(1, 64);
  for (std::uint16_t r = 0; r < 8; ++r) kernel.load({r}, {100});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(200);
  EXPECT_EQ(rig.cycles_of_cause(0, IssueCause::kPipelineLdst), 0U);
  EXPECT_GT(rig.cycles_of_cause(1, IssueCause::kPipelineLdst), 0U);
}

TEST(IssueTimingTest, TheSchedulersTurnsFollowTheSmsOwnCyclesNotTheClocks) {
  FakeKernel kernel(2, 64);
  for (std::uint16_t r = 0; r < 8; ++r) kernel.load({r}, {100});
  kernel.exit();
  IssueRig even("even", GpuConfig(), {});
  IssueRig odd("odd", GpuConfig(), {});
  even.run_to(50);
  even.dispatcher->launch(kernel, 0);
  even.run_to(51);
  FakeKernel same(2, 64);
  for (std::uint16_t r = 0; r < 8; ++r) same.load({r}, {100});
  same.exit();
  odd.dispatcher->launch(same, 0);
  odd.run_to(400);
  even.issue->settle();
  ASSERT_EQ(even.issues.size(), odd.issues.size());
  for (std::size_t i = 0; i < even.issues.size(); ++i) {
    EXPECT_EQ(even.issues[i].warp, odd.issues[i].warp) << i;
    EXPECT_EQ(even.issues[i].cycle + 1, odd.issues[i].cycle) << i;
  }
}

TEST(IssueTimingTest, AFullUnitHoldsAWarpUntilItOpens) {
  IssueRig rig;
  FakeKernel kernel;
  kernel.load({1});
  kernel.load({2});
  kernel.exit();
  rig.collector->closed_until = 60;
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(200);
  EXPECT_LT(rig.issue_cycle(0, 0), 40U);
  EXPECT_EQ(rig.issue_cycle(0, 1), 60U);  // the collector empties it before the issue stage looks
  EXPECT_EQ(rig.cycles_of_cause(0, IssueCause::kPipelineLdst), 59U - rig.issue_cycle(0, 0));
}

TEST(IssueTimingTest, AMembarWaitsForTheWarpsOwnStores) {
  IssueRig rig;
  FakeKernel kernel;
  kernel.store();
  kernel.membar();
  kernel.fma({1}, {1});
  kernel.exit();
  rig.stores_left = 1;
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(80);
  ASSERT_NE(rig.issue_cycle(0, 1), 0U);
  EXPECT_EQ(rig.issue_cycle(0, 2), 0U);
  rig.stores_left = 0;
  rig.issue->issuer.stores_done(0);  // between edges 80 and 81: seen at 81
  rig.run_to(200);
  EXPECT_EQ(rig.issue_cycle(0, 2), 81U);
  EXPECT_GT(rig.cycles_of_cause(0, IssueCause::kMembar), 0U);
}

// The store itself is complete long before.
TEST(IssueTimingTest, AMembarWaitsForAcknowledgementsWhenNothingIsInFlight) {
  IssueRig rig;
  FakeKernel kernel;
  kernel.store();
  kernel.fma({1}, {1});
  kernel.fma({1}, {1});
  kernel.fma({1}, {1});
  kernel.membar();
  kernel.fma({2}, {3});
  kernel.exit();
  rig.stores_left = 1;
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(120);
  ASSERT_GT(rig.issue_cycle(0, 4), rig.issue_cycle(0, 0) + 20);
  EXPECT_EQ(rig.issue_cycle(0, 5), 0U);
  rig.stores_left = 0;
  rig.issue->issuer.stores_done(0);
  rig.run_to(200);
  EXPECT_EQ(rig.issue_cycle(0, 5), 121U);
}

TEST(IssueTimingTest, AMembarWaitsForLoadsInFlightAndIsFreeWithout) {
  IssueRig rig;
  FakeKernel kernel;
  kernel.membar();
  kernel.load({1});
  kernel.membar();
  kernel.fma({2}, {3});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(200);
  EXPECT_EQ(rig.issue_cycle(0, 1), rig.issue_cycle(0, 0) + 1);
  EXPECT_EQ(rig.issue_cycle(0, 3), rig.issue_cycle(0, 1) + 46);  // load of 40: complete at + 45
}

TEST(IssueTimingTest, AWarpRetiresWhenItsStoresAreAcknowledged) {
  IssueRig rig;
  FakeKernel kernel;
  kernel.store();
  kernel.exit();
  rig.stores_left = 2;
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(80);
  EXPECT_TRUE(rig.ended.empty());
  EXPECT_TRUE(rig.issue->residency.tbs() != 0);
  EXPECT_GT(rig.cycles_of_cause(0, IssueCause::kDrain), 0U);
  rig.stores_left = 1;
  rig.issue->issuer.stores_done(0);
  rig.run_to(90);
  EXPECT_TRUE(rig.ended.empty());
  rig.stores_left = 0;
  rig.issue->issuer.stores_done(0);
  rig.run_to(200);
  EXPECT_THAT(rig.ended, ElementsAre(std::pair<std::uint64_t, Cycle>{0, 91}));
  EXPECT_TRUE(rig.dispatcher->idle());
}

/// Acknowledges the rig's store at an edge, before the issue stage ticks.
class Acknowledger : public sc_core::sc_module, public Clocked {
 public:
  Acknowledger(const sc_core::sc_module_name& name, IssueRig& rig)
      : sc_module(name), Clocked(rig.clock, tick_order::kExecute, this->name()), rig_(rig) {}
  Cycle at = 0;

  bool tick() override {
    if (domain().cycle() == at) {
      rig_.stores_left = 0;
      rig_.issue->issuer.stores_done(0);
    }
    return true;
  }

 private:
  IssueRig& rig_;
};

class AcknowledgedAt : public ::testing::TestWithParam<int> {};

// The exit is complete 7 cycles after its issue. An acknowledgement is heard in the cycle after it came, also
// when the issue stage looks at the warp before.
TEST_P(AcknowledgedAt, AWarpRetiresInTheCycleAfterItsLastAcknowledgement) {
  IssueRig rig;
  Acknowledger acknowledger("acknowledger", rig);
  FakeKernel kernel;
  kernel.store();
  kernel.exit();
  rig.stores_left = 1;
  rig.dispatcher->launch(kernel, 0);
  Cycle complete = 0;
  rig.issue->issuer.issued.listen([&](const WarpInstruction& instruction) {
    if (instruction.index != 1) return;
    complete = instruction.issued_at + 7;
    acknowledger.at = complete + static_cast<Cycle>(GetParam());
  });
  rig.run_to(200);
  ASSERT_NE(complete, 0U);
  const Cycle end = complete + static_cast<Cycle>(std::max(GetParam() + 1, 0));
  EXPECT_THAT(rig.ended, ElementsAre(std::pair<std::uint64_t, Cycle>{0, end}));
}

INSTANTIATE_TEST_SUITE_P(CyclesAfterTheExit, AcknowledgedAt, ::testing::Range(-3, 4));

TEST(IssueTimingTest, ATbEndsWhenItsLastInstructionIsComplete) {
  IssueRig rig;
  FakeKernel kernel;
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(100);
  // The exit, latency 1, completes 6 cycles after its issue, which is seen at the next edge.
  EXPECT_THAT(rig.ended, ElementsAre(std::pair<std::uint64_t, Cycle>{0, rig.issue_cycle(0, 0) + 7}));
}

}  // namespace
}  // namespace heddle
