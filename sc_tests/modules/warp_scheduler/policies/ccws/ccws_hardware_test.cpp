// CCWS in hardware timing: what its tags, its scores and the sort's walk take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>

#include "hw/pricing/inventory.h"
#include "sc_tests/modules/warp_scheduler/policies/ccws/ccws_fixture.h"
#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

using test::CcwsTest;
using test::kLine;

TEST_F(CcwsTest, InHardwareScoreSortAndWalkTakeTheirCycles) {
  create(4, hw::Timing::kHardware);
  ASSERT_EQ(ccws_->cutoff().eligible(), 0b1111U);
  cycle_ += 1000;
  issue(1);
  ++cycle_;
  const std::uint64_t missed = cycle_ - 1;
  lose(3);
  const std::uint64_t scored = when([&] { return score(3) != 100; });
  EXPECT_EQ(scored, missed + score_cycles());
  EXPECT_EQ(score(3), 3200U);
  EXPECT_EQ(ccws_->cutoff().eligible(), 0b1111U);
  // 48 slots are in order but for the fourth, which goes up by three places in as many turns, and two turns
  // say that they are: five turns of 24 and 23 comparisons. A cycle each for the copy, the begin and the
  // order; one addition, and a cycle to see that it reaches the cutoff.
  const unsigned compares = 24 + 23 + 24 + 23 + 24;
  const std::uint64_t walked = when([&] { return ccws_->cutoff().eligible() != 0b1111U; });
  EXPECT_EQ(walked,
            scored + 3 + compares * ccws_->cutoff().compare_cycles() + ccws_->cutoff().walk_cycles() + 1);
  EXPECT_EQ(ccws_->cutoff().eligible(), 0b1000U);
  EXPECT_GT(ccws_->update(walked), walked);  // and begins anew, as the score decays
}

// A score that comes to the base during a sort is sorted as it was before.
TEST_F(CcwsTest, InHardwareNobodyIsHeldBackWhenScoresAreAtRest) {
  for (const unsigned instructions : {1U, 11U, 13U, 15U}) {  // scores of 3200, 290, 246, 213
    SCOPED_TRACE(instructions);
    create(4, hw::Timing::kHardware);
    cycle_ += 1000;
    issue(instructions);
    ++cycle_;
    lose(3);
    when([&] { return ccws_->cutoff().eligible() != 0b1111U; });
    const std::uint64_t at_rest = when([&] { return ccws_->cutoff().eligible() == 0b1111U; });
    EXPECT_EQ(ccws_->cutoff().score(at_rest, 3), 100U);
    run();
    EXPECT_EQ(ccws_->cutoff().eligible(), 0b1111U);
    EXPECT_FALSE(ccws_->cutoff().unsorted());
    EXPECT_FALSE(ccws_->restless(cycle_ + 1000));
  }
}

// Short TBs: warps come and go faster than a sort and its walk end.
TEST_F(CcwsTest, InHardwareWarpsThatComeAndGoHoldNobodyBackForGood) {
  create(5, hw::Timing::kHardware);
  cycle_ += 1000;
  issue(1);
  ++cycle_;
  lose(3);
  when([&] { return ccws_->cutoff().eligible() != 0b11111U; });
  ASSERT_EQ(ccws_->cutoff().eligible(), 0b01000U);
  const std::uint64_t held_from = cycle_;
  const std::uint64_t most = score(3) - 100;
  // Of 48 slots that are in order, and at most as many turns more as there are scores above the base.
  const std::uint64_t sort_and_walk = 4 * 47 * std::uint64_t{ccws_->cutoff().compare_cycles()} +
                                      48 * std::uint64_t{ccws_->cutoff().walk_cycles()} + 50;
  bool there = true;
  while ((ccws_->cutoff().eligible() & 0b00001U) == 0 && cycle_ < held_from + 50000) {
    cycle_ += 20;
    ccws_->update(cycle_);
    if (there) {
      ccws_->on_warp_finish({4, 0, 0, 4, cycle_});
    } else {
      ccws_->on_warp_start({4, 0, 0, 4, cycle_});
    }
    there = !there;
    ccws_->update(++cycle_);
  }
  EXPECT_LE(cycle_, held_from + most + 2 * sort_and_walk);
}

// The next warp in a slot may load, whatever score its predecessor had at the copy.
TEST_F(CcwsTest, InHardwareAWarpThatComesDuringASortIsEligible) {
  create(4, hw::Timing::kHardware);
  cycle_ += 1000;
  issue(1);
  ++cycle_;
  lose(3);
  when([&] { return score(3) != 100; });
  cycle_ += 100;  // the sort is under way
  ccws_->update(cycle_);
  ccws_->on_warp_finish({1, 0, 0, 1, cycle_});
  ccws_->update(++cycle_);
  ccws_->on_warp_start({1, 0, 0, 1, ++cycle_});
  when([&] { return ccws_->cutoff().eligible() != 0b1111U; });
  EXPECT_EQ(ccws_->cutoff().eligible(), 0b1010U);
}

TEST_F(CcwsTest, TheScoreOfAWarpThatEndsMeanwhileIsNotGivenToTheNextInItsSlot) {
  for (const bool ends : {false, true}) {
    create(4, hw::Timing::kHardware);
    cycle_ += 1000;
    issue(1);
    ++cycle_;
    const std::uint64_t missed = cycle_ - 1;
    lose(3);
    ccws_->update(cycle_);
    cycle_ = missed + score_cycles() - 1;  // the unit has it, and it is not set
    ccws_->update(cycle_);
    if (ends) ccws_->on_warp_finish({3, 0, 0, 3, cycle_});
    ccws_->update(++cycle_);
    EXPECT_EQ(score(3), ends ? 100U : 3200U);
    if (ends) ccws_->on_warp_start({3, 0, 0, 3, ++cycle_});
    ccws_->update(++cycle_);
    EXPECT_EQ(score(3), ends ? 100U : 3199U);
  }
}

TEST_F(CcwsTest, HitsThatComeWhileTheUnitWorksAreScoredAfterIt) {
  create(4, hw::Timing::kHardware);
  cycle_ += 1000;
  issue(1);
  ++cycle_;
  lose(3);
  ccws_->update(cycle_++);
  lose(1);
  ccws_->update(cycle_++);
  lose(1);
  const std::uint64_t first = when([&] { return score(3) != 100; });
  EXPECT_EQ(score(3), 3200U);
  // Both hits of warp 1 are one score, 3 x 8 x 400 / 1, of which the unit begins as the other one is set.
  EXPECT_EQ(when([&] { return score(1) != 100; }), first + score_cycles() - 2);
  EXPECT_EQ(score(1), 9600U);
}

// An access that the MSHRs had withheld leaves the L1D together with the next one.
TEST_F(CcwsTest, InHardwareOneAccessIsLookedUpACycle) {
  create(2, hw::Timing::kHardware);
  cycle_ += 1000;
  issue(1);
  evict(0, kLine);
  ccws_->update(cycle_++);
  ccws_->on_store({cycle_ - 1, 1, 0, false, false, {kLine + 0x1000, 0}});
  miss(0, kLine);
  ccws_->update(cycle_++);
  EXPECT_EQ(ccws_->victim_tag_hits(), 0U);
  ccws_->update(cycle_++);
  EXPECT_EQ(ccws_->victim_tag_hits(), 1U);
}

// A line that is looked up in the cycle in which it comes is found, and does not stay.
TEST_F(CcwsTest, InHardwareALineThatComesAndIsLookedUpDoesNotStay) {
  create(2, hw::Timing::kHardware);
  cycle_ += 1000;
  const auto hits_of = [&](unsigned evicted_from, bool by_store) {
    const std::uint64_t before = ccws_->victim_tag_hits();
    ccws_->update(++cycle_);
    evict(evicted_from, kLine);
    if (by_store) {
      ccws_->on_store({cycle_ - 1, 1, 0, false, false, {kLine, 0}});
    } else {
      miss(0, kLine);
    }
    ccws_->update(++cycle_);
    const std::uint64_t at_once = ccws_->victim_tag_hits() - before;
    miss(evicted_from, kLine);
    ccws_->update(++cycle_);
    return std::pair{at_once, ccws_->victim_tag_hits() - before};
  };
  EXPECT_EQ(hits_of(0, false), std::pair(std::uint64_t{1}, std::uint64_t{1}));
  EXPECT_EQ(hits_of(1, false), std::pair(std::uint64_t{0}, std::uint64_t{1}));  // another warp's
  EXPECT_EQ(hits_of(0, true), std::pair(std::uint64_t{0}, std::uint64_t{0}));
}

// Tags that are there when a cycle begins are replaced before those that this cycle drops.
TEST_F(CcwsTest, InHardwareAPlaceThatIsDroppedIsFreeInTheNextCycle) {
  create(2, hw::Timing::kHardware);
  cycle_ += 1000;
  for (std::uint64_t i = 0; i < 8; ++i, ++cycle_) evict(0, kLine + i * 256);  // the ways of a set
  miss(0, kLine + 5 * 256);
  evict(0, kLine + 8 * 256);  // takes the place of the first, not of the one that is dropped
  ccws_->update(++cycle_);
  EXPECT_EQ(ccws_->victim_tag_hits(), 1U);
  miss(0, kLine);
  ccws_->update(++cycle_);
  EXPECT_EQ(ccws_->victim_tag_hits(), 1U);
  miss(0, kLine + 8 * 256);
  ccws_->update(++cycle_);
  EXPECT_EQ(ccws_->victim_tag_hits(), 2U);
}

TEST_F(CcwsTest, InHardwareAKernelTakesWithItWhatIsCountedAsItBegins) {
  create(4, hw::Timing::kHardware);
  cycle_ += 1000;
  issue(100);
  ++cycle_;
  lose(0);
  ccws_->update(cycle_++);
  ccws_->on_kernel_start({1, cycle_ - 1});  // the hit is counted in this cycle
  issue(8);
  ++cycle_;
  lose(1);  // 1 x 8 x 400 / 8
  when([&] { return score(1) != 100; });
  EXPECT_EQ(score(1), 400U);
}

// Hardware timing: one that is asked in every cycle, and one that is asked when it wants to be, do and count
// the same.
TEST_F(CcwsTest, InHardwareItMattersNotHowOftenItIsAsked) {
  std::minstd_rand random(12);
  struct Side {
    hw::Inventory inventory;
    std::unique_ptr<Ccws> ccws;
    std::uint64_t due = 0;
  };
  std::array<Side, 2> sides;
  config_.core.warps = 12;
  for (Side& side : sides) {
    hw::Owner owner;
    owner.inventory = &side.inventory;
    owner.timing = hw::Timing::kHardware;
    owner.strict = true;
    side.ccws = std::make_unique<Ccws>(SmContext{table_, config_, 0, nullptr, nullptr, owner});
  }
  WarpMask active = 0;
  std::uint64_t walks = 0;
  for (unsigned step = 0; step < 30000; ++step) {
    ++cycle_;
    const bool calm = step % 6000 > 4000;  // so that scores come to rest
    const auto choice = calm ? 99U : static_cast<unsigned>(random() % 100);
    const auto w = static_cast<unsigned>(random() % 12);
    const std::uint64_t line = kLine + random() % 8 * 128;
    bool event = true;
    for (Side& side : sides) {
      Ccws& ccws = *side.ccws;
      L1dAccess access;
      access.cycle = cycle_ - 1;
      access.outcome = L1dOutcome::kMiss;
      access.warp = w;
      access.line.address = line;
      if (choice < 2 && (active & warp_bit(w)) == 0) {
        ccws.on_warp_start({w, 0, 0, w, cycle_});
      } else if (choice == 3 && (active & warp_bit(w)) != 0 && step % 5 == 0) {
        ccws.on_warp_finish({w, 0, 0, w, cycle_});
      } else if (choice < 10) {
        ccws.on_l1d_access(access);
        ccws.on_eviction({cycle_ - 1, (w + 1) % 12, w, {line, 0}});
      } else if (choice == 10) {
        ccws.on_store({cycle_ - 1, w, 0, false, false, {line, 0}});
        ccws.on_l1d_access(access);
      } else if (choice < 40) {
        ccws.on_issue({w, nullptr, kAllLanes, cycle_});
      } else {
        event = false;
      }
    }
    if (choice < 2) active |= warp_bit(w);
    if (choice == 3 && step % 5 == 0) active &= ~warp_bit(w);
    sides[0].ccws->update(cycle_);
    if (event || sides[1].due <= cycle_) sides[1].due = sides[1].ccws->update(cycle_);
    ASSERT_EQ(sides[1].ccws->cutoff().eligible(), sides[0].ccws->cutoff().eligible()) << "cycle " << cycle_;
    for (unsigned i = 0; i < 12; ++i) {
      ASSERT_EQ(sides[1].ccws->cutoff().score(cycle_, i), sides[0].ccws->cutoff().score(cycle_, i));
    }
    walks = sides[0].ccws->cutoff().walks();
  }
  EXPECT_GT(walks, 20U);
  std::array<test::StatTable, 2> tables;
  for (unsigned i = 0; i < 2; ++i) {
    sides[i].ccws->settle(cycle_);
    sides[i].ccws->report(tables[i]);
    for (const hw::Part* part : sides[i].inventory.parts()) part->report(tables[i]);
  }
  EXPECT_EQ(tables[1].values, tables[0].values);
  EXPECT_GT(tables[0].values.at("throttled_cycles"), 100U);
  EXPECT_GT(tables[0].values.at("vta_hits"), 20U);
}

}  // namespace
}  // namespace heddle
