// Policies that know how long kernels run alone (SRTF 2, 6.2.2).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sc_tests/top/pairs/dispatch_policies_fixture.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

class OracleTest : public DispatchPoliciesTest {};

TEST_F(OracleTest, SjfWaitsForAShorterKernelThatIsAboutToArriveAndNoLonger) {
  dispatch_.oracle_lookahead_cycles = 100;
  build("sjf", 1, 1);
  bed_->launch(kernel("long", 2, 1000), 0, 2000);
  bed_->launch(kernel("short", 1, 10), 100, 10);
  run();
  EXPECT_EQ(first_on(1, 0), 101U);
  EXPECT_EQ(first_on(0, 0), 112U);
}

TEST_F(OracleTest, SjfSeesWhatArrivesAtTheEndOfItsLookahead) {
  dispatch_.oracle_lookahead_cycles = 100;
  build("sjf", 1, 1);
  bed_->launch(kernel("long", 2, 1000), 0, 2000);
  bed_->launch(kernel("short", 1, 10), 101, 10);
  run();
  EXPECT_EQ(first_on(1, 0), 102U);
}

// Another, longer stream of the program comes meanwhile: it is not the launch that is waited for.
TEST_F(OracleTest, SjfWaitsForTheNextLaunchOfTheStreamThatHasEnded) {
  dispatch_.oracle_lookahead_cycles = 100;
  build("sjf", 1, 1);
  bed_->launch(kernel("first", 1, 10), 0, {10, 10, 20, 30}, 0);  // its next launch never comes
  bed_->launch(kernel("other_program", 1, 1000), 0, {1000, 0, 1000, 1000}, 1);
  bed_->launch(kernel("other_stream", 1, 5), 20, {30, 0, 30, 30}, 0);
  run();
  EXPECT_EQ(first_on(0, 0), 1U);
  EXPECT_EQ(first_on(2, 0), 112U);
  EXPECT_GT(first_on(1, 0), 112U);
}

// Blocks that run are left as much as those that wait.
TEST_F(OracleTest, SjfTakesWhatHasEndedFromWhatIsLeft) {
  dispatch_.oracle_lookahead_cycles = 0;
  build("sjf", 1, 2);
  bed_->launch(kernel("a", 4, 100), 0, 200);
  bed_->launch(kernel("b", 2, 140), 50, 140);
  run();
  EXPECT_EQ(first_on(1, 0), 102U);  // three quarters of a are left, half of it waits
}

// There is room for one more of two kernels.
TEST_F(OracleTest, SjfWaitsForTheLastKernelThatMayCome) {
  dispatch_.oracle_lookahead_cycles = 100;
  dispatch_.max_kernels = 2;
  build("sjf", 1, 1);
  bed_->launch(kernel("long", 2, 1000), 0, 2000);
  bed_->launch(kernel("short", 1, 10), 50, 10);
  run();
  EXPECT_EQ(first_on(1, 0), 51U);
  EXPECT_EQ(first_on(0, 0), 62U);
}

TEST_F(OracleTest, SjfDoesNotSeeBeyondItsLookahead) {
  dispatch_.oracle_lookahead_cycles = 100;
  build("sjf", 1, 1);
  bed_->launch(kernel("long", 2, 1000), 0, 2000);
  bed_->launch(kernel("short", 1, 10), 102, 10);
  run();
  EXPECT_EQ(first_on(0, 0), 1U);
}

TEST_F(OracleTest, LjfTakesTheLongerFirst) {
  build("ljf", 1, 1);
  bed_->launch(kernel("short", 3, 10), 0, 30);
  bed_->launch(kernel("long", 2, 1000), 0, 2000);
  run();
  EXPECT_GT(first_on(0, 0), last_of(1));
}

// SRTF 6: the metrics count programs. Two launches of 10 make a program that is longer than one of 15.
TEST_F(OracleTest, SjfOrdersProgramsNotLaunches) {
  build("sjf", 1, 1);
  bed_->launch(kernel("a", 1, 10), 0, {10, 10, 20, 20}, 0);
  bed_->launch(kernel("b", 1, 15), 0, {15, 0, 15, 15}, 1);
  run();
  EXPECT_EQ(first_on(1, 0), 1U);
}

TEST_F(OracleTest, LjfOrdersProgramsNotLaunches) {
  build("ljf", 1, 1);
  bed_->launch(kernel("b", 1, 15), 0, {15, 0, 15, 15}, 0);
  bed_->launch(kernel("a", 1, 10), 0, {10, 10, 20, 20}, 1);
  run();
  EXPECT_EQ(first_on(1, 0), 1U);
}

// A program with a stream of 10 and one of 100 has 100 left, whichever of them is asked for.
TEST_F(OracleTest, SjfTakesAProgramToBeAsLongAsItsLongestStream) {
  build("sjf", 1, 1);
  bed_->launch(kernel("a1", 1, 10), 0, {10, 0, 10, 100}, 0);
  bed_->launch(kernel("a2", 1, 100), 0, {100, 0, 100, 100}, 0);
  bed_->launch(kernel("b", 1, 50), 0, {50, 0, 50, 50}, 1);
  run();
  EXPECT_EQ(first_on(2, 0), 1U);
  EXPECT_LT(first_on(0, 0), first_on(1, 0));  // of one program, the shorter stream
}

TEST_F(OracleTest, SjfGoesByWhatIsLeft) {
  build("sjf", 1, 1);
  bed_->launch(kernel("a", 10, 100), 0, 1000);
  bed_->launch(kernel("b", 5, 100), 650, 500);
  run();
  EXPECT_GT(first_on(1, 0), last_of(0));
}

// By what is left the two would take turns from the second block on.
TEST_F(OracleTest, LjfGoesByTheWholeProgram) {
  build("ljf", 1, 1);
  bed_->launch(kernel("a", 10, 100), 0, 1000);
  bed_->launch(kernel("b", 9, 100), 0, 900);
  run();
  EXPECT_GT(first_on(1, 0), last_of(0));
}

/// A program of two launches, of which the first ends at 12, beside a longer kernel.
class OracleBetweenLaunches : public DispatchPoliciesTest {
 protected:
  static constexpr AloneTimes kFirst{10, 10, 20, 20};
  static constexpr AloneTimes kSecond{10, 0, 20, 20};

  void begin(const std::string& policy, std::uint64_t long_cycles) {
    dispatch_.oracle_lookahead_cycles = 100;
    build(policy, 1, 1);
    bed_->launch(kernel("a1", 1, 10), 0, kFirst, 0);
    bed_->launch(kernel("b", 2, 1000), 0, {long_cycles, 0, long_cycles, long_cycles}, 1);
    sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_NS));
    ASSERT_EQ(started_.size(), 1U);
    ASSERT_EQ(started_.front().launch, 0U);
  }
};

TEST_F(OracleBetweenLaunches, TheNextLaunchFindsTheSmThatSjfKeptForIt) {
  begin("sjf", 2000);
  bed_->launch(kernel("a2", 1, 10), 0, kSecond, 0);
  run();
  EXPECT_EQ(first_on(2, 0), 21U);
  EXPECT_EQ(first_on(1, 0), 32U);
}

TEST_F(OracleBetweenLaunches, TheNextLaunchFindsTheSmThatLjfKeptForIt) {
  begin("ljf", 15);
  bed_->launch(kernel("a2", 1, 10), 0, kSecond, 0);
  run();
  EXPECT_EQ(first_on(2, 0), 21U);
}

TEST_F(OracleBetweenLaunches, ALaunchThatNeverComesIsAwaitedForTheLookahead) {
  begin("sjf", 2000);
  run();
  EXPECT_EQ(first_on(1, 0), 112U);
}

TEST_F(OracleBetweenLaunches, ALaunchThatComesLateIsAwaitedWhenItIsNear) {
  begin("sjf", 2000);
  bed_->launch(kernel("a2", 1, 10), 500, kSecond, 0);
  run();
  EXPECT_EQ(first_on(1, 0), 21U);
}

// Between its launches a program is what is left of its longest stream: 100 cycles, more than b's 50.
TEST_F(OracleTest, SjfCountsTheOtherStreamsOfAProgramThatItCouldWaitFor) {
  dispatch_.oracle_lookahead_cycles = 3;  // b is not seen when the first begins
  build("sjf", 1, 1);
  bed_->launch(kernel("short_stream", 1, 10), 0, {10, 10, 20, 100}, 0);
  bed_->launch(kernel("long_stream", 1, 100), 0, {100, 0, 100, 100}, 0);
  bed_->launch(kernel("b", 1, 50), 5, {50, 0, 50, 50}, 1);
  run();
  EXPECT_EQ(first_on(0, 0), 1U);
  EXPECT_EQ(first_on(2, 0), 12U);
}

// No other launch of the program is there, but 1000 cycles follow.
TEST_F(OracleTest, SjfCountsWhatFollowsInAProgramThatItCouldWaitFor) {
  dispatch_.oracle_lookahead_cycles = 3;  // b is not seen when the first begins
  build("sjf", 1, 1);
  bed_->launch(kernel("a", 1, 10), 0, {10, 1000, 1010, 1010}, 0);
  bed_->launch(kernel("b", 1, 50), 5, {50, 0, 50, 50}, 1);
  run();
  EXPECT_EQ(first_on(1, 0), 12U);
}

// A launch as long as the one that is waited for, but of another program, is not that.
TEST_F(OracleTest, SjfWaitsForTheNextLaunchOfTheProgramThatHasEnded) {
  dispatch_.oracle_lookahead_cycles = 12;
  build("sjf", 1, 1);
  bed_->launch(kernel("a", 1, 10), 0, {10, 20, 30, 30}, 0);  // its next launch never comes
  bed_->launch(kernel("long", 1, 1000), 0, {1000, 0, 1000, 1000}, 1);
  bed_->launch(kernel("alike", 1, 2), 15, {20, 0, 20, 20}, 2);
  run();
  EXPECT_EQ(first_on(2, 0), 16U);  // no better one comes; it ends at 19
  EXPECT_EQ(first_on(1, 0), 24U);  // a ended at 12
}

// Of one program, the longer stream: 200 cycles, of which 190 are to come, before one of 100.
TEST_F(OracleTest, LjfWaitsForTheNextLaunchOfTheLongerStream) {
  dispatch_.oracle_lookahead_cycles = 100;
  build("ljf", 1, 1);
  bed_->launch(kernel("shorter", 1, 100), 0, {100, 0, 100, 200}, 0);
  bed_->launch(kernel("longer", 1, 10), 0, {10, 190, 200, 200}, 0);  // its next launch never comes
  run();
  EXPECT_EQ(first_on(1, 0), 1U);
  EXPECT_EQ(first_on(0, 0), 112U);
}

class OraclesTest : public DispatchPoliciesTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(OraclesTest, NeedTheRunTimesAlone) {
  build(GetParam(), 1, 1);
  try {
    bed_->launch(kernel("a", 3, 10), 0, 0);
    FAIL() << "not refused";
  } catch (const DispatchError& error) {
    EXPECT_THAT(error.what(), HasSubstr("kernel 'a'"));
    EXPECT_THAT(error.what(), HasSubstr("needs its run time alone: none found, expected --alone FILE"));
  }
}

// The better one is there, but no kernel may come beside the first: to wait for it would be for ever.
TEST_P(OraclesTest, DoNotWaitForAKernelThatWaitsForThem) {
  dispatch_.max_kernels = 1;
  build(GetParam(), 1, 1);
  const std::uint64_t first = GetParam() == std::string("ljf") ? 10 : 1000;
  bed_->launch(kernel("first", 1, static_cast<double>(first)), 0, first);
  bed_->launch(kernel("better", 1, 100), 0, 100);
  run();
  EXPECT_EQ(first_on(0, 0), 1U);
  EXPECT_EQ(first_on(1, 0), 1U + first + 2);  // it comes when the first has ended, a cycle after its TB
}

TEST_P(OraclesTest, TakeEqualKernelsInTheOrderOfTheirArrival) {
  build(GetParam(), 1, 1);
  for (int k = 0; k < 3; ++k) bed_->launch(kernel("k", 1, 100), 0, 100);
  run();
  EXPECT_EQ(first_on(0, 0), 1U);
  EXPECT_LT(first_on(1, 0), first_on(2, 0));
}

// The first has no more blocks for the second place.
TEST_P(OraclesTest, GiveTheOtherKernelWhatTheFirstLeaves) {
  build(GetParam(), 1, 2);
  bed_->launch(kernel("first", 1, 500), 0, GetParam() == std::string("ljf") ? 1000 : 500);
  bed_->launch(kernel("other", 2, 350), 0, 700);
  run();
  EXPECT_EQ(first_on(0, 0), 1U);
  EXPECT_EQ(first_on(1, 0), 2U);
}

INSTANTIATE_TEST_SUITE_P(Policies, OraclesTest, ::testing::Values("sjf", "ljf", "srtf_zero_sampling"));

}  // namespace
}  // namespace heddle
