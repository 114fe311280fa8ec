// What is in registers from the next cycle on, in hardware timing.
#include <gtest/gtest.h>

#include "modules/warp_scheduler/policies/ipaws/decisions.h"
#include "modules/warp_scheduler/policies/ipaws/kernel_ends.h"
#include "sc_tests/modules/warp_scheduler/policies/ipaws/ipaws_fixture.h"

namespace heddle {
namespace {

using testing::IpawsSm;

class IpawsHardwareTest : public IpawsTest {
 protected:
  IpawsHardwareTest() { config_.scheduler.timing = hw::Timing::kHardware; }
};

TEST_F(IpawsHardwareTest, WhatOtherSchedulersIssueInTheCycleOfTheExitCounts) {
  config_.core.schedulers = 2;
  IpawsSm& sm = make();
  sm.begin(1);
  sm.start_tb(0, 1, {0, 1, 2, 3});
  sm.begin(10);
  sm.finish(0);
  sm.issue(1);
  EXPECT_EQ(sm.phase(), IpawsPhase::kAdapt);
  sm.begin(11);
  EXPECT_EQ(sm.phase(), IpawsPhase::kJudge);
  EXPECT_EQ(sm.policy->record().last_verdict().score_sum, 2U);
  sm.issue(2);
  EXPECT_EQ(sm.policy->pattern().score(2), 0U);
}

// Though no warp can issue after it: the judgement takes its steps from here on, and no later stall counts.
TEST_F(IpawsHardwareTest, TheEndOfATbIsJudgedInTheNextCycle) {
  config_.scheduler.settings.edit(ipaws_parameters).judge_at = IpawsJudgeAt::kFirstTb;
  IpawsSm& sm = make();
  sm.begin(1);
  sm.start_tb(0, 1, {0, 1});
  sm.start_tb(1, 1, {2, 3});
  sm.begin(9);
  sm.finish(0);
  sm.finish(1);
  sm.begin(10);
  sm.retire_tb(0, {0, 1});
  EXPECT_EQ(sm.policy->update(10), 11U);
  sm.begin(11);
  EXPECT_EQ(sm.phase(), IpawsPhase::kJudge);
  sm.stall(0, 0xc, 0, 5);
  EXPECT_EQ(sm.policy->pattern().stalls(2), 0U);
}

// Without Recover nothing keeps the oldest warp: the order has a port to find it by, once a cycle.
TEST_F(IpawsHardwareTest, WithoutRecoverThePortsOfTheOrderAreEnough) {
  config_.core.schedulers = 1;
  config_.scheduler.settings.edit(ipaws_parameters).recover = false;
  constexpr bool kStrict = true;  // a use beyond the ports throws
  testing::IpawsSm sm(config_, board_, 0, kStrict);
  sm.begin(1);
  sm.start_tb(0, 1, {0, 1});
  sm.begin(4);
  sm.stall(0, 0x3, 0, 2);
  sm.begin(6);
  sm.stall(0, 0x3, 0);
  EXPECT_EQ(sm.policy->pattern().stalls(0), 3U);
}

TEST_F(IpawsHardwareTest, AKernelThatBeginsChangesTheChoiceFromTheNextCycleOn) {
  config_.scheduler.settings.edit(ipaws_parameters).decider = IpawsDecider::kEachSm;
  IpawsSm& sm = make();
  convex_adapt(sm);
  sm.begin(11);
  const std::uint64_t result = 10 + sm.policy->record().last_verdict().time_cycles;
  sm.begin(result);
  sm.begin(result + 1);
  ASSERT_EQ(sm.phase(), IpawsPhase::kRecover);
  sm.issue_n(1, 9);
  const std::uint64_t now = result + 2;
  sm.begin(now);
  sm.start_tb(1, 2, {4, 5});
  EXPECT_EQ(sm.phase(), IpawsPhase::kAdapt);
  EXPECT_EQ(sm.select(0x6), 2U) << "the fewest instructions yet";
  sm.begin(now + 1);
  EXPECT_EQ(sm.select(0x6), 1U) << "greedy";
}

TEST_F(IpawsHardwareTest, RecoverEndsACycleAfterTheNewestHasCaughtUp) {
  config_.scheduler.settings.edit(ipaws_parameters).decider = IpawsDecider::kEachSm;
  IpawsSm& sm = make();
  convex_adapt(sm);
  sm.begin(11);
  const std::uint64_t now = 11 + sm.policy->record().last_verdict().time_cycles;
  sm.begin(now - 1);
  sm.begin(now);
  ASSERT_EQ(sm.policy->phase_of_choice(now), IpawsPhase::kRecover);
  sm.issue_n(3, 5);  // 10, as the oldest
  sm.begin(now + 1);
  EXPECT_EQ(sm.policy->phase_of_choice(now + 1), IpawsPhase::kRecover);
  sm.begin(now + 2);
  EXPECT_EQ(sm.policy->phase_of_choice(now + 2), IpawsPhase::kExecuteFair);
}

/// SM 1 of a pair.
class IpawsHardwarePairTest : public IpawsHardwareTest {
 protected:
  IpawsHardwarePairTest() {
    config_.scheduler.settings.edit(ipaws_parameters).decider = IpawsDecider::kSmPair;
  }
  /// The kernel of `warps`, which is adapted to, is convex: the first cycle of its Recover phase.
  static std::uint64_t recover(IpawsSm& sm, const std::vector<unsigned>& warps) {
    for (unsigned place = 0; place < 4; ++place) sm.issue_n(warps[place], place == 0 ? 9 : 8 - place);
    sm.begin(10);
    sm.finish(warps[0]);
    std::uint64_t now = 10;
    while (sm.policy->phase_of_choice(now) != IpawsPhase::kRecover && now < 1000) sm.begin(++now);
    return now;
  }
};

TEST_F(IpawsHardwarePairTest, RecoverEndsACycleAfterTheNewestHasCaughtUp) {
  IpawsSm& sm = make(1);
  sm.begin(1);
  sm.start_tb(0, 1, {0, 1, 2, 3});
  sm.start_tb(1, 2, {4, 5, 6, 7});
  const std::uint64_t now = recover(sm, {4, 5, 6, 7});
  sm.issue_n(7, 5);  // 10, as the oldest
  sm.begin(now + 1);
  EXPECT_EQ(sm.select(0x60), 6U) << "the fewest instructions yet";
  sm.begin(now + 2);
  EXPECT_EQ(sm.select(0x60), 5U) << "fair";
}

TEST_F(IpawsHardwarePairTest, AKernelThatBeginsEndsTheRecoverPhaseOfTheOtherFromTheNextCycleOn) {
  IpawsSm& sm = make(1);
  sm.begin(1);
  sm.start_tb(0, 1, {0, 1, 2, 3});
  const std::uint64_t now = recover(sm, {0, 1, 2, 3});
  sm.begin(now + 1);
  sm.start_tb(1, 2, {4, 5});
  EXPECT_EQ(sm.phase(), IpawsPhase::kAdapt);
  EXPECT_EQ(sm.select(0x6), 2U) << "the fewest instructions yet";
  sm.begin(now + 2);
  EXPECT_EQ(sm.select(0x6), 1U) << "fair";
}

TEST(KernelEnds, AreTheLowestOfTheFirstAndTheHighestOfTheLastToStart) {
  hw::Owner owner;
  owner.timing = hw::Timing::kHardware;
  owner.strict = true;
  GpuConfig config;
  KernelEnds ends(owner, config);
  ends.begin();
  for (const unsigned warp : {6U, 4U, 5U}) ends.start(10, warp);
  EXPECT_EQ(ends.oldest(), warp_bit(4));
  ends.issued(4, true);
  ends.issued(4, false);  // the pattern is not watched any more
  EXPECT_FALSE(ends.caught_up(11));
  ends.issued(6, true);
  EXPECT_TRUE(ends.caught_up(12));
  for (const unsigned warp : {1U, 2U}) ends.start(20, warp);
  EXPECT_EQ(ends.oldest(), warp_bit(4));
  EXPECT_FALSE(ends.caught_up(21)) << "the newest one has issued nothing";
  ends.issued(6, false);
  EXPECT_FALSE(ends.caught_up(22));
  ends.finished(1);
  EXPECT_FALSE(ends.caught_up(23));
  ends.finished(2);
  EXPECT_TRUE(ends.caught_up(24));
  ends.begin();
  EXPECT_EQ(ends.oldest(), 0U);
}

// Eight kernels run at once.
TEST(IpawsDecisionsTest, InHardwareTimingTheEighthKernelAfterItTakesAKernelsPlace) {
  hw::Owner owner;
  owner.timing = hw::Timing::kHardware;
  owner.strict = true;
  GpuConfig config;
  ASSERT_EQ(config.tb_dispatcher.max_kernels, 8U);
  IpawsDecisions decisions(owner, config);
  EXPECT_FALSE(decisions.about(3).has_value());
  decisions.remember(1, 3, true);
  decisions.remember(2, 4, false);
  EXPECT_EQ(decisions.look_up(3, 3), true);
  EXPECT_EQ(decisions.look_up(3, 4), false);
  EXPECT_EQ(decisions.about(3 + 65536), true) << "numbers wrap";
  decisions.remember(4, 11, false);
  EXPECT_FALSE(decisions.about(3).has_value());
  EXPECT_EQ(decisions.about(11), false);
}

TEST(IpawsDecisionsTest, InIdealTimingTheLast64AreKnown) {
  GpuConfig config;
  IpawsDecisions decisions(hw::Owner(), config);
  for (std::uint64_t launch = 0; launch < 65; ++launch) decisions.remember(launch, launch, launch % 2 == 0);
  EXPECT_FALSE(decisions.about(0).has_value());
  EXPECT_EQ(decisions.about(1), false);
  EXPECT_EQ(decisions.look_up(70, 64), true);
  EXPECT_FALSE(decisions.about(1 + 65536).has_value());
}

}  // namespace
}  // namespace heddle
