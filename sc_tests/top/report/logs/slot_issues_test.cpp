#include "top/report/logs/slot_issues.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using Row = std::vector<std::uint64_t>;

TEST(SlotIssues, CountsByWarpSlotAndInterval) {
  SlotIssues pattern(2);
  pattern.add(0, 0);
  pattern.add(0, 63);
  pattern.add(1, 64);
  pattern.add(0, 130);
  EXPECT_EQ(pattern.interval(), 64U);
  EXPECT_EQ(pattern.warps()[0], (Row{2, 0, 1}));
  EXPECT_EQ(pattern.warps()[1], (Row{0, 1, 0}));
}

// The last cycle that 128 intervals of 64 hold is 8191.
TEST(SlotIssues, IntervalsDoubleWhenTheRunIsLongerThanTheyReach) {
  SlotIssues pattern(1);
  pattern.add(0, 10);
  pattern.add(0, 70);
  pattern.add(0, 140);
  pattern.add(0, 8191);
  EXPECT_EQ(pattern.interval(), 64U);
  EXPECT_EQ(pattern.warps()[0].size(), 128U);
  pattern.add(0, 8192);
  EXPECT_EQ(pattern.interval(), 128U);
  ASSERT_EQ(pattern.warps()[0].size(), 65U);
  EXPECT_EQ(pattern.warps()[0][0], 2U);
  EXPECT_EQ(pattern.warps()[0][1], 1U);
  EXPECT_EQ(pattern.warps()[0][63], 1U);
  EXPECT_EQ(pattern.warps()[0][64], 1U);
}

}  // namespace
}  // namespace heddle
