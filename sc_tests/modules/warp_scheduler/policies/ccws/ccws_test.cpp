#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/ccws/parameters.h"
#include "sc_tests/modules/warp_scheduler/policies/ccws/ccws_fixture.h"
#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

using test::CcwsTest;
using test::kLine;

TEST_F(CcwsTest, AScoreIsHitsPerInstructionTimesThrottleTimesCutoff) {
  create(4);
  EXPECT_EQ(ccws_->cutoff().cutoff(), 400U);
  issue(7);
  lose(2);  // 1 x 8 x 400 / 7
  EXPECT_EQ(score(2), 457U);
  lose(2);  // set, not added: 2 x 8 x 400 / 7
  EXPECT_EQ(score(2), 914U);
  issue(13);
  EXPECT_EQ(score(2), 914U - 13);
  lose(1);  // 3 x 8 x 400 / 20
  EXPECT_EQ(score(1), 480U);
  issue(380);
  lose(3);  // 4 x 8 x 400 / 400 = 32: the base
  EXPECT_EQ(score(3), 100U);
  EXPECT_EQ(score(2), 914U - 13 - 380);
  EXPECT_EQ(score(1), 100U);
  lose(2);  // 5 x 8 x 400 / 400 = 40: a lower score replaces a higher one
  EXPECT_EQ(score(2), 100U);
}

TEST_F(CcwsTest, TotalsBeginAnewWithAKernel) {
  create(4);
  issue(100);
  lose(0);
  ccws_->on_kernel_start({1, cycle_});
  issue(8);
  lose(1);  // 1 x 8 x 400 / 8
  EXPECT_EQ(score(1), 400U);
}

TEST_F(CcwsTest, WarpsBehindTheCutoffMayNotLoadUntilTheScoreHasDecayed) {
  create(4);
  EXPECT_EQ(eligible(cycle_), 0b1111U);
  issue(16);
  const std::uint64_t at = cycle_;
  lose(2);  // 200 + 100 + 100 reaches 400: all but warp 3
  ASSERT_EQ(score(2), 200U);
  EXPECT_EQ(ccws_->update(at), at + 1);
  EXPECT_EQ(ccws_->cutoff().eligible(), 0b0111U);
  EXPECT_EQ(eligible(at + 1), 0b1111U);  // 199 + 100 + 100 + 100
}

TEST_F(CcwsTest, TheSetChangesAtTheCycleThatUpdateNames) {
  create(8);
  issue(16);
  const std::uint64_t at = cycle_;
  lose(6);  // 8 x 800 / 16 = 400
  ASSERT_EQ(score(6), 400U);
  // 400 + 4 x 100 = 800: warps 6, 0, 1, 2, 3. At 399 warp 4 comes too, at 299 warp 5, at 199 warp 7.
  EXPECT_EQ(eligible(at), 0b01001111U);
  EXPECT_EQ(ccws_->update(at), at + 1);
  EXPECT_EQ(eligible(at + 1), 0b01011111U);
  EXPECT_EQ(ccws_->update(at + 1), at + 101);
  EXPECT_EQ(eligible(at + 100), 0b01011111U);
  EXPECT_EQ(eligible(at + 101), 0b01111111U);
  EXPECT_EQ(ccws_->update(at + 101), at + 201);
  EXPECT_EQ(eligible(at + 200), 0b01111111U);
  EXPECT_EQ(eligible(at + 201), 0b11111111U);
  EXPECT_EQ(ccws_->update(at + 201), Ccws::kNever);
}

TEST_F(CcwsTest, WithoutWarpsNothingIsSortedHoweverHighTheirScores) {
  create(2, hw::Timing::kHardware);
  issue(1);
  lose(1);
  cycle_ += 200;  // its score is there
  ccws_->update(cycle_);
  ASSERT_GT(score(1), 1000U);
  for (const unsigned warp : {0U, 1U}) ccws_->on_warp_finish({warp, 0, 0, warp, ++cycle_});
  run();  // comes to an end
  EXPECT_EQ(ccws_->update(cycle_ + 1), Ccws::kNever);
  ccws_->on_warp_start({0, 0, 1, 0, ++cycle_});
  EXPECT_EQ(eligible(cycle_), 0b1U);
}

// Warps that come one cycle after the other ask for a cutoff each while the adders are at work: strict parts.
TEST_F(CcwsTest, TheCutoffFollowsTheWarpsThroughItsAdders) {
  create(1, hw::Timing::kHardware);
  EXPECT_EQ(ccws_->cutoff().cutoff(), 100U);
  for (unsigned w = 1; w < 8; ++w) {
    ccws_->on_warp_start({w, 0, 0, w, ++cycle_});
    ccws_->update(cycle_);
  }
  EXPECT_LT(ccws_->cutoff().cutoff(), 800U);  // not there yet
  run();
  EXPECT_EQ(ccws_->cutoff().cutoff(), 800U);
}

// The adders are done with the warps before the last one, which comes in the last cycle of their time.
TEST_F(CcwsTest, ACutoffIsThereInItsCycleThoughWarpsChangeInTheOneBefore) {
  create(4, hw::Timing::kHardware);
  ccws_->on_warp_start({4, 0, 0, 4, ++cycle_});
  cycle_ += ccws_->cutoff().settle_cycles();
  ccws_->on_warp_start({5, 0, 0, 5, cycle_});
  ccws_->update(cycle_);
  EXPECT_EQ(ccws_->cutoff().cutoff(), 400U);
  ccws_->update(++cycle_);
  EXPECT_EQ(ccws_->cutoff().cutoff(), 500U);
  EXPECT_EQ(when([&] { return ccws_->cutoff().cutoff() == 600; }), cycle_ + ccws_->cutoff().settle_cycles());
}

// As long as warps come, there is no new cutoff, and nothing is sorted.
TEST_F(CcwsTest, NothingIsSortedUntilTheCutoffIsThere) {
  create(4, hw::Timing::kHardware);
  cycle_ += 1000;
  issue(1);
  const std::uint64_t walks = ccws_->cutoff().walks();
  for (unsigned w = 4; w < 8; ++w) {
    ccws_->on_warp_start({w, 0, 0, w, ++cycle_});
    ccws_->update(cycle_);
    EXPECT_EQ(ccws_->cutoff().eligible(), (warp_bit(w) << 1) - 1);
  }
  const std::uint64_t last = cycle_;
  EXPECT_EQ(when([&] { return ccws_->cutoff().cutoff() == 800; }),
            last + 1 + ccws_->cutoff().settle_cycles());
  EXPECT_EQ(ccws_->cutoff().walks(), walks);
  run();
  EXPECT_EQ(ccws_->cutoff().walks(), walks + 1);
}

TEST_F(CcwsTest, TheCrossingWarpMayLoad) {
  create(4);
  issue(1);
  lose(3);  // 3200
  EXPECT_EQ(eligible(cycle_), 0b1000U);
}

TEST_F(CcwsTest, EqualScoresGoToTheLowerWarp) {
  create(4);
  issue(14);
  lose(3);  // 228
  ++cycle_;
  lose(1);  // 2 x 8 x 400 / 14 = 457
  EXPECT_EQ(eligible(cycle_), 0b0010U);
  create(4);
  issue(16);
  lose(3);  // 200 + 100 + 100: with the lowest two of the others
  EXPECT_EQ(eligible(cycle_), 0b1011U);
}

TEST_F(CcwsTest, CallsForARunWhenAScoreIsSet) {
  create(2);
  EXPECT_FALSE(ccws_->calls_for_run());
  issue(1);
  evict(1, kLine);
  miss(0, kLine);  // not its own
  EXPECT_FALSE(ccws_->calls_for_run());
  miss(1, kLine);
  EXPECT_TRUE(ccws_->calls_for_run());
  ccws_->update(cycle_);
  EXPECT_FALSE(ccws_->calls_for_run());
  create(2, hw::Timing::kHardware);
  EXPECT_TRUE(ccws_->calls_for_run());  // what it is told goes through its parts
}

TEST_F(CcwsTest, OnlyLoadsAreHeld) {
  create(2);
  issue(1);
  lose(1);
  ASSERT_EQ(eligible(cycle_), 0b10U);
  Instruction load;
  load.unit = Unit::kLdst;
  load.mem = MemOp::kLoad;
  load.space = Space::kGlobal;
  Instruction store = load;
  store.mem = MemOp::kStore;
  table_.needs[static_cast<unsigned>(Unit::kLdst)] = 0b11;
  table_.next[0] = table_.next[1] = &load;
  EXPECT_EQ(ccws_->qualify(0b11), 0b10U);
  issue(1);  // of warp 0, whose next instruction is another one
  table_.next[0] = &store;
  EXPECT_EQ(ccws_->qualify(0b11), 0b11U);
  issue(1);
  load.space = Space::kShared;
  table_.next[0] = &load;
  EXPECT_EQ(ccws_->qualify(0b11), 0b11U);
}

TEST_F(CcwsTest, AFinishedWarpLeavesTheCutoffAndTheOrder) {
  create(4);
  issue(1);
  lose(3);
  ASSERT_EQ(eligible(cycle_), 0b1000U);
  ccws_->on_warp_finish({3, 0, 0, 3, cycle_});
  EXPECT_EQ(eligible(++cycle_), 0b0111U);
  EXPECT_EQ(ccws_->cutoff().cutoff(), 300U);
  for (unsigned w = 0; w < 3; ++w) ccws_->on_warp_finish({w, 0, 0, w, ++cycle_});
  eligible(++cycle_);
  EXPECT_EQ(ccws_->cutoff().cutoff(), 100U);
}

TEST_F(CcwsTest, VictimTagsAreTheWarpsOwnFirstInFirstOutAndDroppedByStores) {
  create(2);
  issue(1);
  evict(0, kLine);
  miss(1, kLine);
  EXPECT_EQ(ccws_->victim_tag_hits(), 0U);
  ccws_->on_store({cycle_, 1, 0, false, false, {kLine, 0}});
  miss(0, kLine);
  EXPECT_EQ(ccws_->victim_tag_hits(), 0U);
  // Nine lines of one of the two sets into its eight ways.
  for (std::uint64_t i = 0; i < 9; ++i, ++cycle_) evict(0, kLine + i * 256);
  miss(0, kLine);
  EXPECT_EQ(ccws_->victim_tag_hits(), 0U);
  for (std::uint64_t i = 1; i < 9; ++i, ++cycle_) miss(0, kLine + i * 256);
  EXPECT_EQ(ccws_->victim_tag_hits(), 8U);
  miss(0, kLine + 256);  // fetched again: no longer a victim
  EXPECT_EQ(ccws_->victim_tag_hits(), 8U);
  evict(0, kLine);
  ccws_->on_warp_start({0, 0, 0, 0, ++cycle_});
  miss(0, kLine);
  EXPECT_EQ(ccws_->victim_tag_hits(), 8U);
}

TEST_F(CcwsTest, VictimTagsThatDoNotFitTheirWaysAreAnError) {
  config_.scheduler.settings.edit(ccws_parameters).vta_entries = 24;
  try {
    create(1);
    FAIL();
  } catch (const SettingError& error) {
    EXPECT_THAT(error.keys(),
                ::testing::ElementsAre("scheduler.ccws.vta_entries", "scheduler.ccws.vta_ways"));
  }
}

/// Ideal timing: with update() called only when it asked to be, the set is at every cycle that of the
/// definition; and once nothing is lost any more, all warps may load in bounded time.
TEST_F(CcwsTest, TheSetIsThatOfTheDefinitionAtEveryCycle) {
  std::minstd_rand random(11);
  create(0);
  WarpMask active = 0;
  std::uint64_t due = ccws_->update(cycle_);
  for (unsigned step = 0; step < 30000; ++step) {
    ++cycle_;
    bool event = true;
    const auto choice = static_cast<unsigned>(random() % 100);
    const auto w = static_cast<unsigned>(random() % 12);
    if (choice < 3 && (active & warp_bit(w)) == 0) {
      ccws_->on_warp_start({w, 0, 0, w, cycle_});
      active |= warp_bit(w);
    } else if (choice == 3 && (active & warp_bit(w)) != 0) {
      ccws_->on_warp_finish({w, 0, 0, w, cycle_});
      active &= ~warp_bit(w);
    } else if (choice < 6 && (active & warp_bit(w)) != 0) {
      lose(w);
    } else if (choice < 20) {
      ccws_->on_issue({w, nullptr, kAllLanes, cycle_});
    } else {
      event = false;
    }
    if (event || due <= cycle_) due = ccws_->update(cycle_);
    std::vector<unsigned> order;
    for (unsigned i = 0; i < 12; ++i) {
      if ((active >> i & 1U) != 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return score(a) > score(b); });
    std::uint64_t sum = 0;
    WarpMask expected = 0;
    for (const unsigned i : order) {
      if (sum >= 100 * order.size()) break;
      sum += score(i);
      expected |= warp_bit(i);
    }
    ASSERT_EQ(ccws_->cutoff().eligible(), expected) << "cycle " << cycle_;
  }
  EXPECT_EQ(eligible(cycle_ + (1U << CcwsCutoff::kScoreBits)), active);
}

// As in TheSetChangesAtTheCycleThatUpdateNames: three warps are held in one cycle, two in 100, one in 100.
// The set was found when the warps had come, when the score rose, and at each of its three changes.
TEST_F(CcwsTest, ProbesWalksAndHeldWarpsAreCounted) {
  create(8);
  issue(16);
  const std::uint64_t at = cycle_;
  lose(6);
  miss(2, kLine + 0x1000);
  evict(3, kLine + 0x2000);
  for (std::uint64_t due = ccws_->update(at); due != Ccws::kNever; due = ccws_->update(due)) {
  }
  ccws_->settle(at + 500);
  test::StatTable table;
  ccws_->report(table);
  EXPECT_EQ(table.values, (std::map<std::string, std::uint64_t>{{"vta_probes", 2},
                                                                {"vta_hits", 1},
                                                                {"vta_insertions", 2},
                                                                {"walks", 1 + 1 + 3},
                                                                {"throttled_cycles", 1 + 100 + 100},
                                                                {"throttled_warp_cycles", 3 + 200 + 100}}));
}

}  // namespace
}  // namespace heddle
