#include "workloads/ptx/execution/simt_stack.h"

#include <gtest/gtest.h>

namespace heddle::ptx {
namespace {

TEST(SimtStack, FallThroughRunsFirstThenTakenThenAll) {
  SimtStack stack;
  stack.reset(0xF);
  stack.branch(0x3, 10, 1, 20);
  EXPECT_EQ(stack.pc(), 1U);
  EXPECT_EQ(stack.mask(), 0xCU);
  stack.advance(20);
  EXPECT_EQ(stack.pc(), 10U);
  EXPECT_EQ(stack.mask(), 0x3U);
  stack.advance(20);
  EXPECT_EQ(stack.pc(), 20U);
  EXPECT_EQ(stack.mask(), 0xFU);
  EXPECT_EQ(stack.depth(), 1U);
}

TEST(SimtStack, AUniformBranchDoesNotPush) {
  SimtStack stack;
  stack.reset(0xF);
  stack.branch(0xF, 10, 1, 20);
  EXPECT_EQ(stack.pc(), 10U);
  stack.branch(0, 5, 11, 20);
  EXPECT_EQ(stack.pc(), 11U);
  EXPECT_EQ(stack.depth(), 1U);
}

TEST(SimtStack, LanesThatGoStraightToReconvergenceWait) {
  SimtStack stack;
  stack.reset(0xF);
  stack.branch(0x1, 20, 1, 20);  // if without else: lane 0 skips it
  EXPECT_EQ(stack.depth(), 2U);
  EXPECT_EQ(stack.mask(), 0xEU);
  stack.advance(20);
  EXPECT_EQ(stack.mask(), 0xFU);
}

TEST(SimtStack, ALoopThatLanesLeaveOneByOneDoesNotGrow) {
  SimtStack stack;
  stack.reset(kAllLanes);
  LaneMask inside = kAllLanes;
  for (unsigned lane = 0; lane < 31; ++lane) {
    stack.advance(5);  // the branch at the loop's end
    inside &= ~(1U << lane);
    stack.branch(inside, 1, 6, 6);
    EXPECT_EQ(stack.pc(), 1U);
    EXPECT_EQ(stack.mask(), inside);
    EXPECT_LE(stack.depth(), 2U);
  }
  stack.advance(5);
  stack.branch(0, 1, 6, 6);
  EXPECT_EQ(stack.pc(), 6U);
  EXPECT_EQ(stack.mask(), kAllLanes);
  EXPECT_EQ(stack.depth(), 1U);
}

TEST(SimtStack, NestedDivergenceJoinsInsideOut) {
  SimtStack stack;
  stack.reset(0xFF);
  stack.branch(0x0F, 10, 1, 30);
  stack.advance(30);
  stack.branch(0x03, 15, 11, 20);
  EXPECT_EQ(stack.mask(), 0x0CU);
  stack.advance(20);
  EXPECT_EQ(stack.mask(), 0x03U);
  stack.advance(20);
  EXPECT_EQ(stack.mask(), 0x0FU);
  EXPECT_EQ(stack.pc(), 20U);
  stack.advance(30);
  EXPECT_EQ(stack.mask(), 0xFFU);
}

TEST(SimtStack, APredicatedExitRemovesLanesEverywhere) {
  SimtStack stack;
  stack.reset(0xF);
  stack.branch(0x3, 10, 1, 20);
  stack.exit(0x4, 2);  // one of the two lanes that fell through
  EXPECT_EQ(stack.pc(), 2U);
  EXPECT_EQ(stack.mask(), 0x8U);
  stack.exit(0x8, 3);  // the other one: the taken path is next
  EXPECT_EQ(stack.pc(), 10U);
  EXPECT_EQ(stack.mask(), 0x3U);
  stack.advance(20);
  EXPECT_EQ(stack.mask(), 0x3U);
  stack.exit(0x3, 21);
  EXPECT_TRUE(stack.empty());
}

TEST(SimtStack, PathsThatMeetOnlyAtTheExitBothRun) {
  SimtStack stack;
  stack.reset(0x3);
  stack.branch(0x1, 10, 1, 99);
  stack.exit(0x2, 2);
  EXPECT_EQ(stack.pc(), 10U);
  stack.exit(0x1, 11);
  EXPECT_TRUE(stack.empty());
}

TEST(SimtStack, TheDeepestNestingFits) {
  SimtStack stack;
  stack.reset(kAllLanes);
  LaneMask lanes = kAllLanes;
  for (unsigned level = 0; level < 31; ++level) {
    const LaneMask lowest = lanes & (~lanes + 1);
    lanes &= ~lowest;
    stack.branch(lowest, 1000 + level, level + 1, 2000 - level);
    EXPECT_EQ(stack.mask(), lanes);
  }
  EXPECT_EQ(stack.depth(), 63U);
  for (unsigned level = 31; level-- > 0;) {
    stack.advance(2000 - level);
    stack.advance(2000 - level);
    EXPECT_EQ(stack.pc(), 2000 - level);
  }
  EXPECT_EQ(stack.mask(), kAllLanes);
  EXPECT_EQ(stack.depth(), 1U);
}

}  // namespace
}  // namespace heddle::ptx
