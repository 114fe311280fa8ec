#include "modules/warp_scheduler/policies/ccws/swl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "modules/warp_scheduler/policies/ccws/parameters.h"
#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

class SwlTest : public ::testing::Test {
 protected:
  void create(unsigned limit, hw::Timing timing = hw::Timing::kIdeal, double clock_fo4 = 28) {
    config_.scheduler.settings.edit(swl_parameters).warps = limit;
    hw::Owner owner;
    owner.timing = timing;
    owner.clock_fo4 = clock_fo4;
    owner.strict = true;
    swl_ = std::make_unique<Swl>(SmContext{table_, config_, 0, nullptr, nullptr, owner});
  }
  void start(unsigned warp) { swl_->on_warp_start({warp, 0, 0, 0, cycle_++}); }
  void finish(unsigned warp) { swl_->on_warp_finish({warp, 0, 0, 0, cycle_}); }
  void arrive(unsigned warp) { swl_->on_barrier_arrive({0, 0, warp_bit(warp), cycle_}); }
  void release(WarpMask warps) { swl_->on_barrier_release({0, 0, warps, cycle_}); }

  /// Until no walk is under way.
  void settle() {
    for (std::uint64_t due = swl_->update(cycle_); due != Swl::kNever; due = swl_->update(cycle_))
      cycle_ = due;
  }

  WarpTable table_;
  GpuConfig config_;
  std::unique_ptr<Swl> swl_;
  std::uint64_t cycle_ = 1;
};

TEST_F(SwlTest, TheDefaultHoldsWarpsBack) {
  create(swl_parameters.defaults().warps);
  for (const unsigned warp : {7U, 1U, 4U}) start(warp);
  EXPECT_EQ(swl_->allowed(), warp_bit(7) | warp_bit(1));
}

TEST_F(SwlTest, TheOldestMayIssueWhateverTheirSlots) {
  create(2);
  for (const unsigned w : {5U, 2U, 40U, 1U}) start(w);
  EXPECT_EQ(swl_->allowed(), warp_bit(5) | warp_bit(2));
  finish(2);
  EXPECT_EQ(swl_->allowed(), warp_bit(5) | warp_bit(40));
  start(2);  // the slot again: now the youngest
  EXPECT_EQ(swl_->allowed(), warp_bit(5) | warp_bit(40));
}

TEST_F(SwlTest, TheSetExtendsPastWarpsAtABarrierAndShrinksBehindIt) {
  create(2);
  for (unsigned w = 0; w < 6; ++w) start(w);
  arrive(0);
  EXPECT_EQ(swl_->allowed(), 0b000111U);
  arrive(1);
  EXPECT_EQ(swl_->allowed(), 0b001111U);
  arrive(2);
  arrive(3);
  EXPECT_EQ(swl_->allowed(), 0b111111U);
  release(0b001111);
  EXPECT_EQ(swl_->allowed(), 0b000011U);
}

TEST_F(SwlTest, AllMayIssueWhenTheLimitIsNotReached) {
  create(48);
  for (unsigned w = 0; w < 48; ++w) start(w);
  EXPECT_EQ(swl_->allowed(), (WarpMask{1} << 48U) - 1);
}

TEST_F(SwlTest, InHardwareTheSetChangesWhenTheWalkHasEnded) {
  create(2, hw::Timing::kHardware);
  for (unsigned w = 0; w < 4; ++w) start(w);
  settle();
  ASSERT_EQ(swl_->allowed(), 0b0011U);
  cycle_ = 1000;
  arrive(0);
  // A step in each of two cycles: warp 1 with 0, which does not count, and then 2.
  for (const std::uint64_t cycle : {1000U, 1001U, 1002U}) {
    EXPECT_EQ(swl_->update(cycle), cycle + 1);
    EXPECT_EQ(swl_->allowed(), 0b0011U);
  }
  EXPECT_EQ(swl_->update(1003), Swl::kNever);
  EXPECT_EQ(swl_->allowed(), 0b0111U);
}

TEST_F(SwlTest, InHardwareAWalkTakesACycleForEachWarpThatCounts) {
  for (const unsigned limit : {1U, 3U, 7U, 48U}) {
    create(limit, hw::Timing::kHardware);
    for (unsigned w = 0; w < 20; ++w) start(w);
    settle();
    const std::uint64_t told = cycle_;
    arrive(19);
    settle();
    // The last step of one that finds too few sees that none is left.
    EXPECT_EQ(cycle_ - told, 1 + std::min(limit, 20U)) << limit;
  }
}

TEST_F(SwlTest, InHardwareAChangeDuringAWalkIsSeenByTheNext) {
  create(1, hw::Timing::kHardware);
  for (unsigned w = 0; w < 3; ++w) start(w);
  settle();
  ASSERT_EQ(swl_->allowed(), 0b001U);
  cycle_ = 100;
  arrive(0);
  EXPECT_EQ(swl_->update(101), 102U);
  cycle_ = 101;
  arrive(1);  // in the cycle of the only step
  EXPECT_EQ(swl_->update(102), 103U);
  EXPECT_EQ(swl_->allowed(), 0b011U);
  EXPECT_EQ(swl_->update(103), Swl::kNever);
  EXPECT_EQ(swl_->allowed(), 0b111U);
}

// A warp that finishes during a walk that has taken it is not in the set, nor is the next one of its slot.
TEST_F(SwlTest, InHardwareASlotThatIsTakenAgainDuringAWalkIsTheYoungest) {
  create(3, hw::Timing::kHardware);
  for (unsigned w = 0; w < 6; ++w) start(w);
  settle();
  cycle_ = 100;
  arrive(1);
  swl_->update(101);  // takes 0
  cycle_ = 101;
  finish(0);
  cycle_ = 102;
  start(0);
  settle();
  EXPECT_EQ(swl_->allowed(), 0b011110U);
}

// With a clock that a step does not fit into it takes two cycles, and what it looks at is kept.
TEST_F(SwlTest, AtAFastClockAStepTakesSeveralCycles) {
  create(2, hw::Timing::kHardware, 16);
  EXPECT_EQ(swl_->step_cycles(), 2U);
  for (unsigned w = 0; w < 4; ++w) start(w);
  settle();
  cycle_ = 1000;
  arrive(0);
  for (std::uint64_t cycle = 1000; cycle < 1005; ++cycle) {
    swl_->update(cycle);
    EXPECT_EQ(swl_->allowed(), 0b0011U) << cycle;
  }
  swl_->update(1005);
  EXPECT_EQ(swl_->allowed(), 0b0111U);
}

TEST_F(SwlTest, WalksAndHeldWarpsAreCounted) {
  create(1);
  for (unsigned w = 0; w < 3; ++w) start(w);  // cycles 1 to 3: 0, 1 and 2 of them held
  cycle_ = 11;
  finish(0);  // 7 more cycles with 2 held, then one
  swl_->settle(20);
  test::StatTable table;
  swl_->report(table);
  EXPECT_EQ(table.values, (std::map<std::string, std::uint64_t>{
                              {"walks", 3 + 1}, {"held_warp_cycles", 0 + 1 + 2 + 7 * 2 + 10}}));
  EXPECT_EQ(table.levels, (std::map<std::string, double>{{"limit", 1}}));
}

/// Against the definition, over random lives of warps: in ideal timing at every event, in hardware timing as
/// soon as the walks have ended; and so no barrier can wait for a warp that may not issue.
TEST_F(SwlTest, IsThePrefixOfTheAgeOrderWithSoManyWarpsNotAtABarrier) {
  for (const hw::Timing timing : {hw::Timing::kIdeal, hw::Timing::kHardware}) {
    std::minstd_rand random(7);
    create(3, timing);
    std::vector<unsigned> order;
    WarpMask waits = 0;
    for (unsigned event = 0; event < 4000; ++event) {
      ++cycle_;
      const auto w = static_cast<unsigned>(random() % 48);
      const auto place = std::find(order.begin(), order.end(), w);
      if (place == order.end()) {
        start(w);
        order.push_back(w);
      } else if ((waits & warp_bit(w)) != 0) {
        if (random() % 2 == 0) continue;
        release(waits);
        waits = 0;
      } else if (random() % 2 == 0) {
        arrive(w);
        waits |= warp_bit(w);
      } else {
        finish(w);
        order.erase(place);
      }
      settle();
      WarpMask expected = 0;
      unsigned counted = 0;
      for (std::size_t i = 0; i < order.size() && counted < 3; ++i) {
        expected |= warp_bit(order[i]);
        if ((waits & warp_bit(order[i])) == 0) ++counted;
      }
      ASSERT_EQ(swl_->allowed(), expected) << "event " << event;
    }
  }
}

}  // namespace
}  // namespace heddle
