#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "sc_tests/top/pairs/dispatch_policies_fixture.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

TEST_F(DispatchPoliciesTest, FifoStartsTheSecondKernelWhenAllBlocksOfTheFirstHaveStarted) {
  build("fifo", 2, 2);
  bed_->launch(kernel("a", 6, 100), 0, 0);
  bed_->launch(kernel("b", 2, 10), 5, 0);
  run();
  EXPECT_GE(first_on(1, 0), last_of(0));
  // The first four places fill at 1 and 2, and are free again at 102 and 103: b begins after a's last two.
  EXPECT_EQ(last_of(0), 102U);
  EXPECT_EQ(first_on(1, 0), 103U);
}

// Two blocks for two SMs: one of each, though the other SM is full and this one has room.
TEST_F(DispatchPoliciesTest, AnSmHoldsNoMoreThanItsShareOfASmallGrid) {
  build("fifo", 2, 2);
  bed_->launch(kernel("full", 1, 1000, 1536), 0, 0);
  bed_->launch(kernel("small", 2, 500), 0, 0);
  run();
  EXPECT_EQ(first_on(1, 1), 1U);
  EXPECT_EQ(last_of(1), 502U);
}

TEST_F(DispatchPoliciesTest, WithoutMixedSmsTheSecondKernelWaitsUntilAnSmHasDrained) {
  dispatch_.mixed_sms = false;
  core_.sms = 1;
  core_.tb_slots = 2;
  bed_ = std::make_unique<TestBed>("bed", core_, dispatch_, sc_core::sc_time(1, sc_core::SC_NS));
  bed_->dispatcher().tb_dispatched.listen([this](const TbTransaction& tb, Cycle cycle) {
    started_.push_back({cycle, tb.launch_id, tb.sm.value()});
  });
  bed_->launch(kernel("a", 3, 100), 0, 0);
  bed_->launch(kernel("b", 1, 10), 5, 0);
  run();
  EXPECT_EQ(last_of(0), 102U);
  EXPECT_EQ(first_on(1, 0), 203U);  // a's last block ends at 202
}

TEST_F(DispatchPoliciesTest, MpMaxSetsAsideAPlaceForTheOtherKernelAndTakesItBack) {
  build("mpmax", 1, 4);
  bed_->launch(kernel("a", 40, 100), 0, 0);
  bed_->launch(kernel("b", 2, 100), 150, 0);
  run();
  // b takes the first places that come free after it arrives at 150: from 202 on a may hold three.
  EXPECT_GE(first_on(1, 0), 202U);
  EXPECT_LE(first_on(1, 0), 205U);
  const auto a_between = [this](Cycle from, Cycle to) {
    return std::count_if(started_.begin(), started_.end(), [&](const Started& start) {
      return start.launch == 0 && start.cycle >= from && start.cycle < to;
    });
  };
  EXPECT_EQ(a_between(1, 100), 4);
  EXPECT_EQ(a_between(200, 300), 3);
  EXPECT_EQ(a_between(300, 400), 3);
  EXPECT_EQ(a_between(402, 506), 4);  // b has ended
}

TEST_F(DispatchPoliciesTest, MpMaxRunsKernelsThatDoNotFitTogetherOneAfterTheOther) {
  build("mpmax", 1, 8);
  bed_->launch(kernel("large", 4, 100, 1024), 0, 0);  // of 1536 threads
  bed_->launch(kernel("larger", 4, 100, 1280), 0, 0);
  run();
  EXPECT_EQ(first_on(1, 0), last_of(0) + 101);
}

// One of a and one of b, or one of a and one of c, but not all three: a sets aside for b, which came first.
TEST_F(DispatchPoliciesTest, MpMaxSetsAsideForThoseThatFitInTheOrderOfTheirArrival) {
  build("mpmax", 1, 8);
  bed_->launch(kernel("a", 40, 100, 512), 0, 0);
  bed_->launch(kernel("b", 3, 1000, 512), 0, 0);
  bed_->launch(kernel("c", 1, 100, 768), 0, 0);
  run();
  const auto a_between = [this](Cycle from, Cycle to) {
    return std::count_if(started_.begin(), started_.end(), [&](const Started& start) {
      return start.launch == 0 && start.cycle >= from && start.cycle < to;
    });
  };
  EXPECT_LT(first_on(1, 0), 5U);
  EXPECT_EQ(a_between(0, 100), 2);
  EXPECT_EQ(a_between(200, 300), 2);
  EXPECT_GT(first_on(2, 0), last_of(0));
}

// Scheduler-details, SRTF: room for one TB of each other kernel, by each. b must not fill up with what a has
// left for c.
TEST_F(DispatchPoliciesTest, MpMaxSetsAsideForAThirdKernelUnderEachOfTheOthers) {
  build("mpmax", 1, 8);
  bed_->launch(kernel("a", 60, 100), 0, 0);
  bed_->launch(kernel("b", 60, 100), 0, 0);
  bed_->launch(kernel("c", 20, 100), 0, 0);
  std::map<std::uint64_t, int> held;
  std::map<std::uint64_t, int> at_50;
  const auto look = [&](Cycle cycle) {
    if (cycle < 50) at_50 = held;
  };
  bed_->dispatcher().tb_dispatched.listen([&](const TbTransaction& tb, Cycle cycle) {
    ++held[tb.launch_id];
    look(cycle);
  });
  bed_->dispatcher().tb_ended.listen([&](const TbTransaction& tb, Cycle cycle) {
    --held[tb.launch_id];
    look(cycle);
  });
  run();
  EXPECT_EQ(at_50[0], 6);
  EXPECT_EQ(at_50[1], 1);
  EXPECT_EQ(at_50[2], 1);
}

// What a kernel that came first holds is not taken from it; what it gives back goes to each of the others
// first.
TEST_F(DispatchPoliciesTest, MpMaxGivesALateThirdKernelTheNextPlace) {
  build("mpmax", 1, 4);
  bed_->launch(kernel("a", 60, 100), 0, 0);
  bed_->launch(kernel("b", 60, 100), 10, 0);
  bed_->launch(kernel("c", 2, 100), 250, 0);
  run();
  EXPECT_GE(first_on(2, 0), 250U);
  EXPECT_LE(first_on(2, 0), 310U);
}

// Were the places set aside for each other to hold for first blocks, too, neither could take the one that is
// free.
TEST_F(DispatchPoliciesTest, MpMaxGivesTwoLateKernelsOnePlaceEachAsPlacesComeFree) {
  build("mpmax", 1, 4);
  bed_->launch(kernel("a", 60, 100), 0, 0);
  bed_->launch(kernel("b", 60, 100), 50, 0);
  bed_->launch(kernel("c", 60, 100), 50, 0);
  run();
  EXPECT_EQ(first_on(1, 0), 102U);  // a's blocks start at 1 to 4
  EXPECT_EQ(first_on(2, 0), 103U);
}

TEST_F(DispatchPoliciesTest, MpMaxSetsNothingAsideForAKernelWithoutBlocksThatWait) {
  build("mpmax", 2, 4);
  bed_->launch(kernel("a", 60, 100), 0, 0);
  bed_->launch(kernel("b", 60, 100), 0, 0);
  bed_->launch(kernel("c", 1, 5000), 0, 0);
  run();
  const bool c_on_0 = first_on(2, 0) != 0;
  const unsigned without_c = c_on_0 ? 1 : 0;
  EXPECT_EQ(std::count_if(started_.begin(), started_.end(),
                          [&](const Started& start) { return start.sm == without_c && start.cycle < 50; }),
            4);
}

TEST_F(DispatchPoliciesTest, PoliciesThatMixSayThatTheConfigurationDoesNot) {
  dispatch_.policy = "mpmax";
  try {
    TestBed bed("bed", core_, dispatch_, sc_core::sc_time(1, sc_core::SC_NS));
    FAIL() << "not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("tb_dispatcher.mixed_sms: true"));
  }
}

TEST_F(DispatchPoliciesTest, SjfWaitsForAShorterKernelThatIsAboutToArriveAndNoLonger) {
  dispatch_.oracle_lookahead_cycles = 100;
  build("sjf", 1, 1);
  bed_->launch(kernel("long", 2, 1000), 0, 2000);
  bed_->launch(kernel("short", 1, 10), 100, 10);
  run();
  EXPECT_EQ(first_on(1, 0), 101U);
  EXPECT_EQ(first_on(0, 0), 112U);
}

TEST_F(DispatchPoliciesTest, SjfSeesWhatArrivesAtTheEndOfItsLookahead) {
  dispatch_.oracle_lookahead_cycles = 100;
  build("sjf", 1, 1);
  bed_->launch(kernel("long", 2, 1000), 0, 2000);
  bed_->launch(kernel("short", 1, 10), 101, 10);
  run();
  EXPECT_EQ(first_on(1, 0), 102U);
}

// Another, longer stream of the program comes meanwhile: it is not the launch that is waited for.
TEST_F(DispatchPoliciesTest, SjfWaitsForTheNextLaunchOfTheStreamThatHasEnded) {
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
TEST_F(DispatchPoliciesTest, SjfTakesWhatHasEndedFromWhatIsLeft) {
  dispatch_.oracle_lookahead_cycles = 0;
  build("sjf", 1, 2);
  bed_->launch(kernel("a", 4, 100), 0, 200);
  bed_->launch(kernel("b", 2, 140), 50, 140);
  run();
  EXPECT_EQ(first_on(1, 0), 102U);  // three quarters of a are left, half of it waits
}

// There is room for one more of two kernels.
TEST_F(DispatchPoliciesTest, SjfWaitsForTheLastKernelThatMayCome) {
  dispatch_.oracle_lookahead_cycles = 100;
  dispatch_.max_kernels = 2;
  build("sjf", 1, 1);
  bed_->launch(kernel("long", 2, 1000), 0, 2000);
  bed_->launch(kernel("short", 1, 10), 50, 10);
  run();
  EXPECT_EQ(first_on(1, 0), 51U);
  EXPECT_EQ(first_on(0, 0), 62U);
}

TEST_F(DispatchPoliciesTest, SjfDoesNotSeeBeyondItsLookahead) {
  dispatch_.oracle_lookahead_cycles = 100;
  build("sjf", 1, 1);
  bed_->launch(kernel("long", 2, 1000), 0, 2000);
  bed_->launch(kernel("short", 1, 10), 102, 10);
  run();
  EXPECT_EQ(first_on(0, 0), 1U);
}

TEST_F(DispatchPoliciesTest, LjfTakesTheLongerFirst) {
  build("ljf", 1, 1);
  bed_->launch(kernel("short", 3, 10), 0, 30);
  bed_->launch(kernel("long", 2, 1000), 0, 2000);
  run();
  EXPECT_GT(first_on(0, 0), last_of(1));
}

// SRTF 6: the metrics count programs. Two launches of 10 make a program that is longer than one of 15.
TEST_F(DispatchPoliciesTest, SjfOrdersProgramsNotLaunches) {
  build("sjf", 1, 1);
  bed_->launch(kernel("a", 1, 10), 0, {10, 10, 20, 20}, 0);
  bed_->launch(kernel("b", 1, 15), 0, {15, 0, 15, 15}, 1);
  run();
  EXPECT_EQ(first_on(1, 0), 1U);
}

TEST_F(DispatchPoliciesTest, LjfOrdersProgramsNotLaunches) {
  build("ljf", 1, 1);
  bed_->launch(kernel("b", 1, 15), 0, {15, 0, 15, 15}, 0);
  bed_->launch(kernel("a", 1, 10), 0, {10, 10, 20, 20}, 1);
  run();
  EXPECT_EQ(first_on(1, 0), 1U);
}

// A program with a stream of 10 and one of 100 has 100 left, whichever of them is asked for.
TEST_F(DispatchPoliciesTest, SjfTakesAProgramToBeAsLongAsItsLongestStream) {
  build("sjf", 1, 1);
  bed_->launch(kernel("a1", 1, 10), 0, {10, 0, 10, 100}, 0);
  bed_->launch(kernel("a2", 1, 100), 0, {100, 0, 100, 100}, 0);
  bed_->launch(kernel("b", 1, 50), 0, {50, 0, 50, 50}, 1);
  run();
  EXPECT_EQ(first_on(2, 0), 1U);
  EXPECT_LT(first_on(0, 0), first_on(1, 0));  // of one program, the shorter stream
}

TEST_F(DispatchPoliciesTest, SjfGoesByWhatIsLeft) {
  build("sjf", 1, 1);
  bed_->launch(kernel("a", 10, 100), 0, 1000);
  bed_->launch(kernel("b", 5, 100), 650, 500);
  run();
  EXPECT_GT(first_on(1, 0), last_of(0));
}

// By what is left the two would take turns from the second block on.
TEST_F(DispatchPoliciesTest, LjfGoesByTheWholeProgram) {
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
TEST_F(DispatchPoliciesTest, SjfCountsTheOtherStreamsOfAProgramThatItCouldWaitFor) {
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
TEST_F(DispatchPoliciesTest, SjfCountsWhatFollowsInAProgramThatItCouldWaitFor) {
  dispatch_.oracle_lookahead_cycles = 3;  // b is not seen when the first begins
  build("sjf", 1, 1);
  bed_->launch(kernel("a", 1, 10), 0, {10, 1000, 1010, 1010}, 0);
  bed_->launch(kernel("b", 1, 50), 5, {50, 0, 50, 50}, 1);
  run();
  EXPECT_EQ(first_on(1, 0), 12U);
}

// A launch as long as the one that is waited for, but of another program, is not that.
TEST_F(DispatchPoliciesTest, SjfWaitsForTheNextLaunchOfTheProgramThatHasEnded) {
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
TEST_F(DispatchPoliciesTest, LjfWaitsForTheNextLaunchOfTheLongerStream) {
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

TEST_F(DispatchPoliciesTest, AnArrivalInThePastIsRefused) {
  build("fifo", 1, 1);
  bed_->launch(kernel("a", 1, 10), 0, 0);
  run();
  TimedLaunch late(kernel("late", 1, 10));
  try {
    bed_->dispatcher().launch(late, 1, {3});
    FAIL() << "not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("arrives at cycle 3"));
  }
}

TEST_F(DispatchPoliciesTest, KernelsOfOneArrivalComeInTheOrderOfTheirLaunch) {
  build("fifo", 1, 1);
  for (int k = 0; k < 3; ++k) bed_->launch(kernel("k", 1, 100), 50, 0);
  run();
  EXPECT_LT(first_on(0, 0), first_on(1, 0));
  EXPECT_LT(first_on(1, 0), first_on(2, 0));
}

TEST_F(DispatchPoliciesTest, MoreKernelsThanMayRunWait) {
  dispatch_.max_kernels = 2;
  build("fifo", 1, 8);
  for (int k = 0; k < 3; ++k) bed_->launch(kernel("k", 1, 100), 0, 0);
  run();
  EXPECT_LT(first_on(1, 0), 10U);
  EXPECT_GE(first_on(2, 0), 102U);
}

// iPAWS 4.3, pCKE.
TEST_F(DispatchPoliciesTest, SpatialGivesEachKernelHalfOfTheSmsAndAllToTheLast) {
  build("spatial", 4, 2);
  bed_->launch(kernel("a", 400, 100), 0, 0);
  bed_->launch(kernel("b", 40, 100), 1000, 0);
  run();
  const Cycle b_begins = std::min(first_on(1, 2), first_on(1, 3));
  EXPECT_GE(b_begins, 1001U);
  EXPECT_LE(b_begins, 1001U + 2 * 101);  // a's blocks on SMs 2 and 3 end first
  EXPECT_EQ(first_on(1, 0), 0U);
  EXPECT_EQ(first_on(1, 1), 0U);
  const auto a_on = [this](unsigned sm, Cycle from, Cycle to) {
    return std::count_if(started_.begin(), started_.end(), [&](const Started& start) {
      return start.launch == 0 && start.sm == sm && start.cycle >= from && start.cycle < to;
    });
  };
  EXPECT_GT(a_on(3, 0, 1000), 10);
  EXPECT_EQ(a_on(3, 1100, last_of(1)), 0);
  EXPECT_GT(a_on(0, 1100, last_of(1)), 10);
  EXPECT_GT(a_on(3, last_of(1) + 200, last_of(0)), 10);
}

TEST_F(DispatchPoliciesTest, SpatialGivesTheFirstKernelsAnSmEachWhenThereAreMoreOfThem) {
  build("spatial", 2, 1);
  for (int k = 0; k < 3; ++k) bed_->launch(kernel("k", 10, 100), 0, 0);
  run();
  EXPECT_LT(first_on(0, 0), 5U);
  EXPECT_LT(first_on(1, 1), 5U);
  EXPECT_EQ(first_on(0, 1), 0U);
  EXPECT_GT(first_on(2, 1), 900U);
}

TEST_F(DispatchPoliciesTest, SpatialGivesAnSmOfAKernelWithoutBlocksThatWaitToTheNext) {
  build("spatial", 3, 4);  // SMs 0 and 1 are a's
  bed_->launch(kernel("a", 1, 5000), 0, 0);
  bed_->launch(kernel("b", 12, 100), 0, 0);
  run();
  EXPECT_EQ(first_on(0, 0), 1U);
  EXPECT_EQ(first_on(1, 0), 0U);
  EXPECT_GT(first_on(1, 1), 0U);
  EXPECT_LT(first_on(1, 1), 5U);
}

TEST_F(DispatchPoliciesTest, SpatialSpreadsASmallGridOverTheKernelsOwnSms) {
  build("spatial", 4, 4);  // two SMs each
  bed_->launch(kernel("a", 5, 100), 0, 0);
  bed_->launch(kernel("b", 8, 1000), 0, 0);
  bed_->launch(kernel("c", 5, 100), 5000, 0);  // alone: all SMs
  run();
  const auto on = [this](std::uint64_t launch, unsigned sm) {
    return std::count_if(started_.begin(), started_.end(),
                         [&](const Started& start) { return start.launch == launch && start.sm == sm; });
  };
  for (const std::uint64_t launch : {0, 1}) {
    EXPECT_LT(last_of(launch), 10U) << "no TB of launch " << launch << " waits for another to end";
  }
  EXPECT_EQ(on(0, 0) + on(0, 1), 5);
  EXPECT_EQ(std::max(on(0, 0), on(0, 1)), 3);
  EXPECT_EQ(on(1, 2), 4);
  EXPECT_EQ(on(1, 3), 4);
  EXPECT_LE(std::max({on(2, 0), on(2, 1), on(2, 2), on(2, 3)}), 2);
}

TEST_F(DispatchPoliciesTest, SpatialNeverMixesKernelsOnAnSm) {
  build("spatial", 3, 4);  // SMs may be mixed, the policy doesn't
  for (unsigned k = 0; k < 4; ++k) bed_->launch(kernel("k" + std::to_string(k), 50, 60 + 7 * k), 40 * k, 0);
  std::map<unsigned, std::map<std::uint64_t, int>> held;
  bed_->dispatcher().tb_dispatched.listen([&held](const TbTransaction& tb, Cycle cycle) {
    ++held[tb.sm.value()][tb.launch_id];
    EXPECT_EQ(held[tb.sm.value()].size(), 1U) << "SM " << tb.sm.value() << " at " << cycle;
  });
  bed_->dispatcher().tb_ended.listen([&held](const TbTransaction& tb, Cycle /*cycle*/) {
    if (--held[tb.sm.value()][tb.launch_id] == 0) held[tb.sm.value()].erase(tb.launch_id);
  });
  run();
}

// iPAWS 4.3, sCKE: "the resources in each core are shared equally".
TEST_F(DispatchPoliciesTest, EvenShareHoldsEachKernelToItsShareOfEachSm) {
  build("even_share", 1, 8);
  bed_->launch(kernel("a", 60, 100), 0, 0);
  bed_->launch(kernel("b", 60, 100), 0, 0);
  std::map<std::uint64_t, int> held;
  std::map<std::uint64_t, int> most;
  bed_->dispatcher().tb_dispatched.listen([&](const TbTransaction& tb, Cycle /*cycle*/) {
    most[tb.launch_id] = std::max(most[tb.launch_id], ++held[tb.launch_id]);
  });
  bed_->dispatcher().tb_ended.listen([&](const TbTransaction& tb, Cycle /*cycle*/) { --held[tb.launch_id]; });
  run();
  EXPECT_EQ(most[0], 4);
  EXPECT_EQ(most[1], 4);
}

/// Each resource alone would hold eight thread blocks of a kernel.
struct Bound {
  const char* resource;
  unsigned threads_per_tb;
  unsigned registers_per_thread;
  unsigned shared_bytes;
  unsigned sm_threads;
  unsigned sm_warps;
};
class EvenShareOf : public DispatchPoliciesTest, public ::testing::WithParamInterface<Bound> {};

TEST_P(EvenShareOf, IsHalfForEachOfTwoKernels) {
  core_.threads = GetParam().sm_threads;
  core_.warps = GetParam().sm_warps;
  build("even_share", 1, 32);
  TimedKernel kernel_of = kernel("k", 60, 100, GetParam().threads_per_tb);
  kernel_of.registers_per_thread = GetParam().registers_per_thread;
  kernel_of.shared_bytes = GetParam().shared_bytes;
  for (int k = 0; k < 2; ++k) bed_->launch(kernel_of, 0, 0);
  run();
  for (const std::uint64_t launch : {0, 1}) {
    EXPECT_EQ(
        std::count_if(started_.begin(), started_.end(),
                      [launch](const Started& start) { return start.launch == launch && start.cycle < 100; }),
        4)
        << launch;
  }
}

INSTANTIATE_TEST_SUITE_P(Resources, EvenShareOf,
                         ::testing::Values(Bound{"threads", 192, 4, 0, 1536, 96},
                                           Bound{"warps", 192, 4, 0, 3072, 48},
                                           Bound{"registers", 64, 60, 0, 1536, 48},
                                           Bound{"shared", 32, 16, 6144, 1536, 48}),
                         [](const auto& instance) { return std::string(instance.param.resource); });

TEST_F(DispatchPoliciesTest, EvenShareGivesOnePlaceToAKernelThatIsLargerThanItsShare) {
  build("even_share", 1, 8);
  bed_->launch(kernel("large", 3, 100, 1024), 0, 0);  // of 1536 threads: beside two of the small ones
  bed_->launch(kernel("small", 40, 100, 192), 0, 0);
  std::map<std::uint64_t, int> held;
  std::map<std::uint64_t, int> most;
  bed_->dispatcher().tb_dispatched.listen([&](const TbTransaction& tb, Cycle /*cycle*/) {
    most[tb.launch_id] = std::max(most[tb.launch_id], ++held[tb.launch_id]);
  });
  bed_->dispatcher().tb_ended.listen([&](const TbTransaction& tb, Cycle /*cycle*/) { --held[tb.launch_id]; });
  run();
  EXPECT_EQ(most[0], 1);
  EXPECT_EQ(most[1], 8);  // when the large one has ended
  const auto small_beside = std::count_if(started_.begin(), started_.end(), [](const Started& start) {
    return start.launch == 1 && start.cycle < 100;
  });
  EXPECT_EQ(small_beside, 2);
}

TEST_F(DispatchPoliciesTest, EvenShareRunsKernelsThatDoNotFitTogetherOneAfterTheOther) {
  build("even_share", 1, 8);
  bed_->launch(kernel("a", 4, 100, 1024), 0, 0);
  bed_->launch(kernel("b", 4, 100, 1024), 0, 0);
  run();
  EXPECT_EQ(first_on(1, 0), last_of(0) + 101);
}

// SRTF 3.4.4: blocks of one kernel beside so many of another.
TEST_F(DispatchPoliciesTest, FixedResidencyHoldsEachStreamToItsNumberOfBlocksAlsoAlone) {
  dispatch_.first_residency = 2;
  dispatch_.other_residency = 3;
  build("fixed_residency", 1, 8);
  bed_->launch(kernel("a", 20, 100), 0, 0);
  bed_->launch(kernel("b", 60, 100), 0, 0);
  std::map<std::uint64_t, int> held;
  std::map<std::uint64_t, int> most;
  bed_->dispatcher().tb_dispatched.listen([&](const TbTransaction& tb, Cycle /*cycle*/) {
    most[tb.launch_id] = std::max(most[tb.launch_id], ++held[tb.launch_id]);
  });
  bed_->dispatcher().tb_ended.listen([&](const TbTransaction& tb, Cycle /*cycle*/) { --held[tb.launch_id]; });
  run();
  EXPECT_EQ(most[0], 2);
  EXPECT_EQ(most[1], 3);
  EXPECT_GT(last_of(1), 1900U) << "20 rounds of three";
}

TEST_F(DispatchPoliciesTest, FixedResidencyOfNoneIsWhatFits) {
  dispatch_.other_residency = 1;
  build("fixed_residency", 1, 8);
  bed_->launch(kernel("a", 16, 100), 0, 0);
  bed_->launch(kernel("b", 2, 100), 0, 0);
  run();
  EXPECT_EQ(last_of(0), 109U);  // eight at once, twice
  EXPECT_EQ(first_on(1, 0), 203U);
  EXPECT_EQ(last_of(1), 304U) << "one at a time";
}

}  // namespace
}  // namespace heddle
