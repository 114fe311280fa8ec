#include "modules/sm/issue/barrier_set.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(BarrierSetTest, IsMetWhenAllWarpsHaveArrived) {
  BarrierSet barriers;
  barriers.reset(2);
  WarpMask released = 0;
  barriers.arrive(0, WarpSlot(4), 0);
  EXPECT_EQ(barriers.take_met(released), BarrierSet::kNone);
  EXPECT_EQ(barriers.waiting_at(0), warp_bit(4));
  barriers.arrive(0, WarpSlot(5), 0);
  EXPECT_EQ(barriers.take_met(released), 0U);
  EXPECT_EQ(released, warp_bit(4) | warp_bit(5));
  EXPECT_EQ(barriers.take_met(released), BarrierSet::kNone);
}

TEST(BarrierSetTest, ExitedWarpsAreNotWaitedFor) {
  BarrierSet barriers;
  barriers.reset(3);
  WarpMask released = 0;
  barriers.arrive(2, WarpSlot(0), 0);
  barriers.arrive(2, WarpSlot(1), 0);
  EXPECT_EQ(barriers.take_met(released), BarrierSet::kNone);
  barriers.warp_exited();
  EXPECT_EQ(barriers.take_met(released), 2U);
  EXPECT_EQ(released, 3U);
}

TEST(BarrierSetTest, ACountIsForThatBarrierOnly) {
  BarrierSet barriers;
  barriers.reset(4);
  WarpMask released = 0;
  barriers.arrive(0, WarpSlot(0), 0);
  barriers.arrive(15, WarpSlot(1), 2);
  EXPECT_EQ(barriers.expected_at(0), 4U);
  EXPECT_EQ(barriers.expected_at(15), 2U);
  EXPECT_EQ(barriers.take_met(released), BarrierSet::kNone);
  barriers.arrive(15, WarpSlot(2), 2);
  EXPECT_EQ(barriers.take_met(released), 15U);
  EXPECT_EQ(released, warp_bit(1) | warp_bit(2));
  EXPECT_EQ(barriers.waiting_at(0), warp_bit(0));
}

TEST(BarrierSetTest, OfSeveralThatAreMetTheLowestGoesFirst) {
  BarrierSet barriers;
  barriers.reset(4);
  WarpMask released = 0;
  barriers.arrive(9, WarpSlot(0), 1);
  barriers.arrive(3, WarpSlot(1), 1);
  barriers.arrive(6, WarpSlot(2), 2);
  EXPECT_EQ(barriers.take_met(released), 3U);
  EXPECT_EQ(released, warp_bit(1));
  EXPECT_EQ(barriers.take_met(released), 9U);
  EXPECT_EQ(released, warp_bit(0));
}

TEST(BarrierSetTest, AFixedCountDoesNotShrinkWhenWarpsExit) {
  BarrierSet barriers;
  barriers.reset(2);
  WarpMask released = 0;
  barriers.arrive(1, WarpSlot(0), 2);
  barriers.warp_exited();
  EXPECT_EQ(barriers.take_met(released), BarrierSet::kNone);
}

}  // namespace
}  // namespace heddle
