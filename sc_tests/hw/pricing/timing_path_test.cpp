#include "hw/pricing/timing_path.h"

#include <gtest/gtest.h>

#include "hw/logic/priority_selector.h"
#include "hw/storage/table.h"

namespace heddle::hw {
namespace {

// 4 FO4 are a flip-flop's own.
TEST(TimingPath, RegistersOnTheWayCutItIntoStages) {
  TimingPath path;
  path.through("a", 10).through("b", 3).held().through("c", 5).held().through("d", 7).through("e", 8);
  EXPECT_DOUBLE_EQ(path.fo4(), 4 + 33);
  EXPECT_DOUBLE_EQ(path.longest_stage_fo4(), 4 + 15);
  EXPECT_EQ(path.cycles(28), 2U) << "of all of it";
  EXPECT_DOUBLE_EQ(TimingPath().through("a", 10).longest_stage_fo4(), 14);
  EXPECT_DOUBLE_EQ(TimingPath().longest_stage_fo4(), 0);
}

// Cycles are those of unsized netlists.
TEST(TimingPath, HasADepthOfItsOwnInSizedNetlists) {
  TimingPath path;
  path.through("a", Depth{30, 6}).held().through("b", Depth{5, 9}).through("c", 2);
  EXPECT_DOUBLE_EQ(path.fo4(), 4 + 37);
  EXPECT_DOUBLE_EQ(path.sized_fo4(), 4 + 17);
  EXPECT_DOUBLE_EQ(path.longest_stage_fo4(), 4 + 30);
  EXPECT_DOUBLE_EQ(path.longest_stage_sized_fo4(), 4 + 11);
  EXPECT_EQ(path.cycles(28), 2U);
  EXPECT_DOUBLE_EQ(TimingPath().sized_fo4(), 0);
}

TEST(TimingPath, WhatFollowsAnotherPathIsBehindItsRegister) {
  const TimingPath next = TimingPath().through("c", 5).held();
  EXPECT_DOUBLE_EQ(TimingPath().through("a", 10).then(next).through("d", 11).longest_stage_fo4(), 4 + 15);
  EXPECT_DOUBLE_EQ(TimingPath().through("a", 10).held().then(next).longest_stage_fo4(), 4 + 10);
  EXPECT_DOUBLE_EQ(TimingPath().through("a", 10).held().then({}).through("b", 2).longest_stage_fo4(), 4 + 10);
}

TEST(TimingPath, WhoWasPassedOverIsAGateBehindTwoFinds) {
  const auto fo4 = [](SelectorForm form, unsigned passed_over) {
    return PrioritySelector(Owner{}, "s", 24, form, passed_over).structure().path.fo4();
  };
  EXPECT_DOUBLE_EQ(fo4(SelectorForm::kRotating, 24), fo4(SelectorForm::kRotating, 0) + 1);
  EXPECT_DOUBLE_EQ(fo4(SelectorForm::kFixed, 24), fo4(SelectorForm::kFixed, 0)) << "beside the selection";
}

// The classifier's netlist, of 32 PCs of 40 bits, takes 46 FO4 from a tag to the ranks (rtl.md,
// "Schedulers").
TEST(TimingPath, ATouchedLineGoesThroughItsRankToAllOthers) {
  const auto fo4 = [](unsigned entries) {
    return Table(Owner{}, "t", TableShape::cam(entries, 40, {})).touch_path().fo4();
  };
  EXPECT_NEAR(fo4(32), 46, 0.2 * 46);
  EXPECT_GT(fo4(32), fo4(4));
}

}  // namespace
}  // namespace heddle::hw
