// Whom a stall is charged to, under each reading of iPAWS 3.2.
#include "modules/warp_scheduler/policies/ipaws/stall_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "hw/pricing/inventory.h"
#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/ipaws/parameters.h"
#include "sc_tests/modules/warp_scheduler/policies/ipaws/ipaws_fixture.h"

namespace heddle {
namespace {

using testing::IpawsSm;

using Of = IpawsStallOf;
using When = IpawsStallWhen;
using Scope = IpawsStallScope;

constexpr unsigned kCycles = 6;

struct Reading {
  const char* name;
  Of of;
  When when;
  Scope scope;
  std::array<WarpMask, kCycles> charged;  ///< in each cycle
};

class StallReadingTest : public IpawsTest, public ::testing::WithParamInterface<Reading> {
 protected:
  StallReadingTest() {
    config_.core.schedulers = 2;
    IpawsParameters& ipaws = config_.scheduler.settings.edit(ipaws_parameters);
    ipaws.stall_of = GetParam().of;
    ipaws.stall_when = GetParam().when;
    ipaws.stall_scope = GetParam().scope;
  }
};

// Even warps are scheduler 0's, odd ones scheduler 1's; a smaller number is older. What holds in one cycle
// does not in the one before.
TEST_P(StallReadingTest, ChargesInTheCycleInWhichItHolds) {
  IpawsSm& sm = make();
  sm.begin(1);
  sm.start_tb(0, 1, {0, 1, 2, 3, 4, 5});
  std::array<std::uint64_t, 6> before{};
  for (unsigned c = 0; c < kCycles; ++c) {
    sm.begin(2 + c);
    switch (c) {
      case 0:  // nobody stalls
        sm.issue(2);
        sm.issue(3);
        break;
      case 1:  // scheduler 0 stalls, though a warp is ready
        sm.stall(0, 0b010001, 0b010000);
        sm.issue(3);
        break;
      case 2:  // both stall, scheduler 0 with none ready
        sm.stall(0, 0b010000, 0);
        sm.stall(1, 0b001010, 0b001000);
        break;
      case 3:  // none of the SM is ready
        sm.stall(0, 0b010000, 0);
        sm.stall(1, 0b001000, 0);
        break;
      case 4:  // none of scheduler 0 has an instruction
        sm.stall(0, 0, 0);
        sm.issue(5);
        break;
      default:  // none of the SM has one
        sm.stall(1, 0, 0);
        sm.stall(0, 0, 0);
        break;
    }
    WarpMask charged = 0;
    for (unsigned w = 0; w < before.size(); ++w) {
      const std::uint64_t stalls = sm.policy->pattern().stalls(w);
      EXPECT_LE(stalls, before[w] + 1);
      if (stalls != before[w]) charged |= warp_bit(w);
      before[w] = stalls;
    }
    EXPECT_EQ(charged, GetParam().charged[c]) << "cycle " << c;
  }
}

const std::array<Reading, 19> readings{{
    {"oldest", Of::kOldest, When::kNoneIssues, Scope::kScheduler, {{0, 0b1, 0b11, 0b11, 0b1, 0b11}}},
    {"oldest_none_ready", Of::kOldest, When::kNoneReady, Scope::kScheduler, {{0, 0, 0b1, 0b11, 0b1, 0b11}}},
    {"oldest_all_blocked", Of::kOldest, When::kAllBlocked, Scope::kScheduler, {{0, 0, 0b1, 0b11, 0, 0}}},
    {"valid", Of::kOldestValid, When::kNoneIssues, Scope::kScheduler, {{0, 0b1, 0b010010, 0b011000, 0, 0}}},
    {"valid_none_ready",
     Of::kOldestValid,
     When::kNoneReady,
     Scope::kScheduler,
     {{0, 0, 0b010000, 0b011000, 0, 0}}},
    {"valid_all_blocked",
     Of::kOldestValid,
     When::kAllBlocked,
     Scope::kScheduler,
     {{0, 0, 0b010000, 0b011000, 0, 0}}},
    {"ready", Of::kOldestReady, When::kNoneIssues, Scope::kScheduler, {{0, 0b010000, 0b001000, 0, 0, 0}}},
    {"tried",
     Of::kFirstTried,
     When::kNoneIssues,
     Scope::kScheduler,
     {{0, 0b100, 0b1100, 0b1100, 0b100, 0b100100}}},
    {"tried_none_ready",
     Of::kFirstTried,
     When::kNoneReady,
     Scope::kScheduler,
     {{0, 0, 0b100, 0b1100, 0b100, 0b100100}}},
    {"tried_all_blocked",
     Of::kFirstTried,
     When::kAllBlocked,
     Scope::kScheduler,
     {{0, 0, 0b100, 0b1100, 0, 0}}},
    {"sm_oldest", Of::kOldest, When::kNoneIssues, Scope::kSm, {{0, 0, 0b1, 0b1, 0, 0b1}}},
    {"sm_oldest_none_ready", Of::kOldest, When::kNoneReady, Scope::kSm, {{0, 0, 0, 0b1, 0, 0b1}}},
    {"sm_oldest_all_blocked", Of::kOldest, When::kAllBlocked, Scope::kSm, {{0, 0, 0, 0b1, 0, 0}}},
    {"sm_valid", Of::kOldestValid, When::kNoneIssues, Scope::kSm, {{0, 0, 0b10, 0b1000, 0, 0}}},
    {"sm_valid_none_ready", Of::kOldestValid, When::kNoneReady, Scope::kSm, {{0, 0, 0, 0b1000, 0, 0}}},
    {"sm_ready", Of::kOldestReady, When::kNoneIssues, Scope::kSm, {{0, 0, 0b1000, 0, 0, 0}}},
    {"sm_tried", Of::kFirstTried, When::kNoneIssues, Scope::kSm, {{0, 0, 0b1000, 0b1000, 0, 0b100000}}},
    {"sm_tried_none_ready", Of::kFirstTried, When::kNoneReady, Scope::kSm, {{0, 0, 0, 0b1000, 0, 0b100000}}},
    {"sm_tried_all_blocked", Of::kFirstTried, When::kAllBlocked, Scope::kSm, {{0, 0, 0, 0b1000, 0, 0}}},
}};

INSTANTIATE_TEST_SUITE_P(Readings, StallReadingTest, ::testing::ValuesIn(readings),
                         [](const auto& reading) { return std::string(reading.param.name); });

class StallRuleTest : public IpawsTest {
 protected:
  StallRuleTest() { config_.scheduler.settings.edit(ipaws_parameters).stall_when = When::kNoneIssues; }
  IpawsSm& start(Of of, Scope scope) {
    config_.core.schedulers = 2;
    IpawsParameters& ipaws = config_.scheduler.settings.edit(ipaws_parameters);
    ipaws.stall_of = of;
    ipaws.stall_scope = scope;
    IpawsSm& sm = make();
    sm.begin(1);
    sm.start_tb(0, 1, {0, 1, 2, 3});
    return sm;
  }
};

TEST_F(StallRuleTest, CyclesMayComeInBulk) {
  for (const Scope scope : {Scope::kScheduler, Scope::kSm}) {
    IpawsSm& sm = start(Of::kOldest, scope);
    sm.begin(2);
    sm.stall(0, 0, 0, 7);
    sm.stall(1, 0, 0, 7);
    sm.begin(9);
    sm.stall(0, 0, 0);
    sm.stall(1, 0, 0);
    EXPECT_EQ(sm.policy->pattern().stalls(0), 8U);
    EXPECT_EQ(sm.policy->pattern().stalls(1), scope == Scope::kSm ? 0U : 8U);
  }
}

TEST_F(StallRuleTest, BeforeAnyIssueTheOldestIsTriedFirst) {
  IpawsSm& sm = start(Of::kFirstTried, Scope::kScheduler);
  sm.begin(2);
  sm.stall(0, 0, 0);
  sm.stall(1, 0, 0);
  EXPECT_EQ(sm.policy->pattern().stalls(0), 1U);
  EXPECT_EQ(sm.policy->pattern().stalls(1), 1U);
}

TEST_F(StallRuleTest, AWarpOfAnotherKernelThatWasTriedFirstIsNotCharged) {
  IpawsSm& sm = start(Of::kFirstTried, Scope::kScheduler);
  sm.begin(2);
  sm.issue(2);
  sm.begin(3);
  sm.start_tb(1, 2, {4, 6});  // a newer kernel: its warps alone count from here on
  sm.begin(4);
  sm.stall(0, 0, 0);
  EXPECT_EQ(sm.policy->pattern().stalls(2), 0U);
  EXPECT_EQ(sm.policy->pattern().stalls(4), 1U);
}

TEST_F(StallRuleTest, AWarpThatHasExitedIsTriedNoMoreNorIsTheNextInItsSlot) {
  StallRule rule(hw::Owner{}, config_);  // of one scheduler
  const StallEvent stall{0, 0, 0, 1, 1};
  rule.issued(1, 3, 0b1111);
  EXPECT_EQ(rule.candidates(stall, 0b1111), 0b1000U);
  rule.issued(2, 3, 0b1111);
  rule.finished(3);
  EXPECT_EQ(rule.candidates(stall, 0b0111), 0b0111U);
  EXPECT_EQ(rule.candidates(stall, 0b1111), 0b1111U);  // slot 3 has a new warp
  rule.finished(2);                                    // not the one that was tried
  rule.issued(3, 3, 0b1111);
  rule.finished(2);
  EXPECT_EQ(rule.candidates(stall, 0b1111), 0b1000U);
}

TEST_F(StallRuleTest, OfTwoThatIssueInACycleTheSmTriesTheFirst) {
  config_.core.schedulers = 2;
  config_.scheduler.settings.edit(ipaws_parameters).stall_scope = Scope::kSm;
  StallRule rule(hw::Owner{}, config_);
  rule.issued(1, 3, 0b1111);
  rule.issued(1, 2, 0b1111);
  EXPECT_EQ(rule.candidates({0, 0, 0, 2, 1}, 0b1111), 0U);
  EXPECT_EQ(rule.candidates({1, 0, 0, 2, 1}, 0b1111), 0b1000U);
  rule.issued(3, 2, 0b1111);
  EXPECT_EQ(rule.candidates({1, 0, 0, 4, 1}, 0b1111), 0U);
  EXPECT_EQ(rule.candidates({0, 0, 0, 4, 1}, 0b1111), 0b0100U);
}

/// iPAWS 4.3: what the other kernel's warps do is not to change the decision.
TEST_F(StallRuleTest, OfAPairOfSmsOnlyTheKernelsOwnWarpsAreTriedAndStall) {
  for (const bool pair : {false, true}) {
    IpawsParameters& ipaws = config_.scheduler.settings.edit(ipaws_parameters);
    ipaws.stall_when = When::kAllBlocked;
    ipaws.decider = pair ? IpawsDecider::kSmPair : IpawsDecider::kFirstSm;
    StallRule rule(hw::Owner{}, config_);
    constexpr WarpMask kOwn = 0b0011;
    rule.issued(1, 1, kOwn);
    rule.issued(2, 3, kOwn);  // the other kernel's
    EXPECT_EQ(rule.candidates({0, 0b1111, 0, 3, 1}, kOwn), pair ? 0b0010U : kOwn) << "the oldest instead";
    // One of the other's has passed the scoreboard; of the kernel's own none has an instruction.
    EXPECT_EQ(rule.candidates({0, 0b0011, 0b1000, 4, 1}, kOwn), pair ? 0b0010U : 0U);
    EXPECT_EQ(rule.candidates({0, 0b1100, 0, 5, 1}, kOwn), pair ? 0U : kOwn);
    EXPECT_EQ(rule.candidates({0, 0b0011, 0b0001, 6, 1}, kOwn), 0U);
  }
}

TEST_F(StallRuleTest, OneOfTwoSchedulersIsNoStallOfTheSm) {
  config_.core.schedulers = 2;
  IpawsParameters& ipaws = config_.scheduler.settings.edit(ipaws_parameters);
  ipaws.stall_of = Of::kOldest;
  ipaws.stall_scope = Scope::kSm;
  StallRule rule(hw::Owner{}, config_);
  EXPECT_EQ(rule.candidates({0, 0, 0, 1, 1}, 0b1111), 0U);
  EXPECT_EQ(rule.candidates({1, 0, 0, 2, 1}, 0b1111), 0U);  // not the same cycle
  EXPECT_EQ(rule.candidates({0, 0, 0, 3, 4}, 0b1111), 0U);
  EXPECT_EQ(rule.candidates({1, 0, 0, 3, 4}, 0b1111), 0b1111U);
}

TEST_F(StallRuleTest, NoneReadyAndTheOldestReadyExcludeEachOther) {
  IpawsParameters& ipaws = config_.scheduler.settings.edit(ipaws_parameters);
  ipaws.stall_of = Of::kOldestReady;
  for (const When when : {When::kNoneReady, When::kAllBlocked}) {
    ipaws.stall_when = when;
    try {
      const StallRule rule(hw::Owner{}, config_);
      ADD_FAILURE() << "no stall would be charged to anyone";
    } catch (const SettingError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("'stall_when: none_issues'"));
      EXPECT_THAT(error.keys(),
                  ::testing::ElementsAre("scheduler.ipaws.stall_of", "scheduler.ipaws.stall_when"));
    }
  }
}

// 24 slots of a scheduler, or 48 of the SM, and a bit.
TEST_F(StallRuleTest, WhoIsTriedFirstIsARegisterAndABit) {
  const auto bits_of = [this](Of of, Scope scope) {
    GpuConfig config;
    config.scheduler.settings.edit(ipaws_parameters).stall_of = of;
    config.scheduler.settings.edit(ipaws_parameters).stall_scope = scope;
    hw::Inventory inventory;
    hw::Owner owner;
    owner.inventory = &inventory;
    owner.path = "sm0/ipaws";
    const StallRule rule(owner, config);
    std::uint64_t bits = 0;
    for (const hw::Part* part : inventory.parts()) bits += part->structure().total_bits();
    return bits;
  };
  constexpr unsigned kCharged = 48;  // who is charged in the next cycle
  EXPECT_EQ(bits_of(Of::kFirstTried, Scope::kScheduler), kCharged + 2U * (5 + 1));
  EXPECT_EQ(bits_of(Of::kFirstTried, Scope::kSm), kCharged + 6U + 1);
  EXPECT_EQ(bits_of(Of::kOldestValid, Scope::kScheduler), kCharged);
}

// Schedulers run in an order that turns; a register knows the lowest one of those that issue.
TEST_F(StallRuleTest, InHardwareTimingTheLowestSchedulerOfACycleCounts) {
  GpuConfig config;
  config.core.schedulers = 2;
  const auto charged = [&config](hw::Timing timing, bool first_finishes) {
    hw::Owner owner;
    owner.timing = timing;
    owner.strict = true;
    StallRule rule(owner, config);
    rule.issued(5, 3, 0b1111);
    rule.issued(6, 3, 0b1111);
    if (first_finishes) rule.finished(3);
    rule.issued(6, 4, 0b1111);
    const auto stall = [&](unsigned scheduler) { return rule.candidates({scheduler, 0x18, 0, 7, 1}, 0x1f); };
    stall(0);
    return stall(1);
  };
  EXPECT_EQ(charged(hw::Timing::kIdeal, false), WarpMask{1} << 3);
  EXPECT_EQ(charged(hw::Timing::kHardware, false), WarpMask{1} << 4);
  EXPECT_EQ(charged(hw::Timing::kHardware, true), WarpMask{1} << 4);
}

}  // namespace
}  // namespace heddle
