// PRO Algorithm 1: the orders of thread blocks and warps, in ideal and hardware timing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "hw/pricing/inventory.h"
#include "hw/reports/cost_table.h"
#include "modules/warp_scheduler/policies/pro/parameters.h"
#include "modules/warp_scheduler/sm_policies.h"
#include "sc_tests/modules/warp_scheduler/policies/pro/pro_rig.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
using testing::ProRig;

TEST(ProOrderTest, NoWaitBlocksByProgressMostFirstAtTheThresholdOnly) {
  ProRig rig;
  rig.start_all(4);
  EXPECT_THAT(rig.tbs(), ElementsAre(0, 1, 2, 3));  // no progress yet: by index
  rig.issue(8);
  rig.issue(9);
  rig.issue(4);
  rig.update_at(999);
  EXPECT_THAT(rig.tbs(), ElementsAre(0, 1, 2, 3));
  rig.update_at(1000);
  EXPECT_THAT(rig.tbs(), ElementsAre(2, 1, 0, 3));
  rig.issue(12);
  rig.issue(12);
  rig.issue(12);
  rig.update_at(1999);
  EXPECT_THAT(rig.tbs(), ElementsAre(2, 1, 0, 3));
  rig.update_at(2000);
  EXPECT_THAT(rig.tbs(), ElementsAre(3, 2, 1, 0));
}

TEST(ProOrderTest, EqualProgressIsOrderedByTheIndexInTheGridNotBySlot) {
  ProRig rig;
  rig.start(0, 30, 0x0F);
  rig.start(1, 20, 0xF0);
  EXPECT_THAT(rig.tbs(), ElementsAre(1, 0));
}

TEST(ProOrderTest, WarpsOfNoWaitBlocksByProgressMostFirst) {
  ProRig rig;
  rig.start(0);
  EXPECT_THAT(rig.warps(0), ElementsAre(0, 1, 2, 3));
  rig.issue(2, 7);
  rig.issue(3, 7);
  rig.issue(1, 9);
  rig.threshold();
  EXPECT_THAT(rig.warps(0), ElementsAre(1, 2, 3, 0));
}

// The four warps enter from the cycle behind the start on; what TBs there are is sorted meanwhile.
TEST(ProOrderTest, IsRestlessWhileWarpsEnterAndWhileSomethingIsSorted) {
  ProRig rig(hw::Timing::kHardware);
  rig.start(0);
  EXPECT_TRUE(rig.policy->restless(2));
  rig.update_at(500);
  EXPECT_TRUE(rig.policy->restless(5));
  EXPECT_FALSE(rig.policy->restless(6));
  rig.issue(1);
  EXPECT_FALSE(rig.policy->restless(500));
  rig.threshold();
  EXPECT_TRUE(rig.policy->restless(1001));
  rig.update_at(1900);
  EXPECT_FALSE(rig.policy->restless(1900));
}

TEST(ProOrderTest, FinishWaitBeforeBarrierWaitBeforeNoWait) {
  ProRig rig;
  rig.start_all(4);
  rig.arrive(4);
  EXPECT_THAT(rig.tbs(), ElementsAre(1, 0, 2, 3));
  rig.finish(12);
  EXPECT_THAT(rig.tbs(), ElementsAre(3, 1, 0, 2));
}

TEST(ProOrderTest, FinishWaitBlocksByFinishedWarpsThenByProgress) {
  ProRig rig;
  rig.start_all(3);
  rig.issue(5);
  rig.finish(0);
  rig.finish(4);  // as many as TB 0, more progress
  EXPECT_THAT(rig.tbs(), ElementsAre(1, 0, 2));
  rig.finish(8);
  EXPECT_THAT(rig.tbs(), ElementsAre(1, 0, 2));
  rig.finish(9);
  EXPECT_THAT(rig.tbs(), ElementsAre(2, 1, 0));
}

TEST(ProOrderTest, BarrierWaitBlocksByWaitingWarpsThenByProgress) {
  ProRig rig;
  rig.start_all(3);
  rig.issue(9);
  rig.arrive(0);
  rig.arrive(8);
  EXPECT_THAT(rig.tbs(), ElementsAre(2, 0, 1));
  rig.arrive(4);
  rig.arrive(5);
  EXPECT_THAT(rig.tbs(), ElementsAre(1, 2, 0));
}

TEST(ProOrderTest, TheFirstWarpAtABarrierHasItsSiblingsSortedLeastProgressFirst) {
  ProRig rig;
  rig.start(0);
  rig.issue(1, 3);
  rig.issue(0, 5);
  rig.arrive(0);
  EXPECT_THAT(rig.warps(0), ElementsAre(2, 3, 1, 0));
  rig.issue(2, 20);
  rig.arrive(1);  // only the first one sorts
  EXPECT_THAT(rig.warps(0), ElementsAre(2, 3, 1, 0));
}

TEST(ProOrderTest, TheFirstWarpToFinishHasItsSiblingsSortedLeastProgressFirst) {
  ProRig rig;
  rig.start(0);
  rig.issue(1, 3);
  rig.issue(0, 5);
  rig.finish(0);
  EXPECT_THAT(rig.warps(0), ElementsAre(2, 3, 1, 0));
  rig.issue(2, 20);
  rig.threshold();  // not of a TB that waits
  EXPECT_THAT(rig.warps(0), ElementsAre(2, 3, 1, 0));
}

TEST(ProOrderTest, ABlockBehindItsBarrierGoesToItsPlaceTheOthersStay) {
  ProRig rig;
  rig.start_all(4);
  rig.issue(0, 30);
  rig.issue(4, 20);
  rig.issue(8, 10);
  rig.threshold();
  for (unsigned w = 12; w < 16; ++w) rig.arrive(w);
  EXPECT_THAT(rig.tbs(), ElementsAre(3, 0, 1, 2));
  rig.issue(12, 25);
  rig.issue(8, 32);
  rig.issue(8, 32);  // TB 2 overtakes all, which the next sort will see
  rig.release(3, ProRig::warps_of(3));
  EXPECT_THAT(rig.tbs(), ElementsAre(0, 3, 1, 2));
  rig.threshold();
  EXPECT_THAT(rig.tbs(), ElementsAre(2, 0, 3, 1));
}

TEST(ProOrderTest, SlowPhaseFinishNoWaitBlocksAndWarpsByProgressLeastFirst) {
  ProRig rig;
  rig.start_all(4);
  rig.issue(4, 30);
  rig.issue(5, 4);
  rig.issue(8, 10);
  rig.arrive(0);
  rig.finish(12);
  EXPECT_THAT(rig.tbs(), ElementsAre(3, 0, 1, 2));
  rig.grid_dispatched();
  EXPECT_THAT(rig.tbs(), ElementsAre(0, 3, 2, 1));  // barrierWait1 before finishNoWait
  EXPECT_THAT(rig.warps(1), ElementsAre(6, 7, 5, 4));
  rig.issue(12, 20);
  rig.issue(6, 8);
  EXPECT_THAT(rig.tbs(), ElementsAre(0, 3, 2, 1));
  rig.threshold();
  EXPECT_THAT(rig.tbs(), ElementsAre(0, 2, 3, 1));
  EXPECT_THAT(rig.warps(1), ElementsAre(7, 5, 6, 4));
}

TEST(ProOrderTest, ABlockThatStartsInTheSlowPhaseGoesFirst) {
  ProRig rig;
  rig.start_all(2);
  rig.issue(0);
  rig.issue(4);
  rig.grid_dispatched();
  rig.start(2);
  EXPECT_THAT(rig.tbs(), ElementsAre(2, 0, 1));
}

TEST(ProOrderTest, TheThresholdCountsCoreCyclesAndSleepsWithoutBlocks) {
  ProParameters pro;
  pro.threshold_cycles = 300;
  ProRig rig(hw::Timing::kIdeal, pro);
  EXPECT_EQ(rig.update_at(5), SharedPolicy::kNever);
  rig.cycle = 310;
  rig.start(0);
  EXPECT_EQ(rig.update_at(310), 600U);
  EXPECT_EQ(rig.update_at(600), 900U);
  EXPECT_EQ(rig.update_at(600), 900U);  // a second call changes nothing
  rig.end(0);
  EXPECT_EQ(rig.update_at(601), SharedPolicy::kNever);
}

// --- hardware timing

TEST(ProTimingTest, ASortOfTheBlocksComesIntoForceWhenItsComparisonsAreOver) {
  ProParameters pro;
  pro.cycles_per_compare = 3;
  ProRig rig(hw::Timing::kHardware, pro);
  rig.start_all(3);
  rig.update_at(500);
  rig.issue(8);
  rig.issue(4, 1);
  EXPECT_EQ(rig.update_at(1000), 1007U);  // two comparisons at least, from the next cycle on
  // Odd-even transposition of (0, 1, 2): compares 0-1: swap, 0-2: swap, 1-2: swap; three phases of three TBs.
  rig.update_at(1009);
  EXPECT_THAT(rig.tbs(), ElementsAre(0, 1, 2));
  rig.update_at(1010);
  EXPECT_THAT(rig.tbs(), ElementsAre(2, 1, 0));
}

TEST(ProTimingTest, WarpsOfAllBlocksAreSortedAtTheSameTime) {
  ProParameters pro;
  pro.cycles_per_compare = 2;
  ProRig rig(hw::Timing::kHardware, pro);
  rig.start_all(2);
  rig.update_at(500);
  for (const unsigned slot : {0U, 1U}) {
    for (unsigned i = 1; i < 4; ++i) rig.issue(4 * slot + i, i);
  }
  rig.update_at(1000);
  // Reversed: all 4 x 3 / 2 comparisons.
  rig.update_at(1012);
  EXPECT_THAT(rig.warps(0), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(rig.warps(1), ElementsAre(4, 5, 6, 7));
  rig.update_at(1013);
  EXPECT_THAT(rig.warps(0), ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(rig.warps(1), ElementsAre(7, 6, 5, 4));
}

TEST(ProTimingTest, AnOrderAskedForMeanwhileIsSortedNext) {
  ProParameters pro;
  pro.cycles_per_compare = 10;
  ProRig rig(hw::Timing::kHardware, pro);
  rig.start_all(2);
  rig.update_at(500);
  rig.arrive(4);  // sort from 501 on
  rig.cycle = 505;
  rig.finish(0);
  EXPECT_EQ(rig.policy->order().tb_sorter().use().waited, 1U);
  rig.update_at(510);
  EXPECT_THAT(rig.tbs(), ElementsAre(0, 1));
  rig.update_at(511);  // as the registers were at 501
  EXPECT_THAT(rig.tbs(), ElementsAre(1, 0));
  EXPECT_TRUE(rig.policy->order().tbs_stale());
  rig.update_at(521);
  EXPECT_THAT(rig.tbs(), ElementsAre(0, 1));
  EXPECT_FALSE(rig.policy->order().tbs_stale());
}

TEST(ProTimingTest, WarpsEnterTheOrderOfTheirBlockOneACycle) {
  ProRig rig(hw::Timing::kHardware);
  rig.update_at(100);
  rig.start(1);
  EXPECT_THAT(rig.warps(1), ElementsAre());
  EXPECT_EQ(rig.policy->order().arriving(), WarpMask{0xF0});
  EXPECT_EQ(rig.update_at(100), 102U);  // selected at 101
  rig.update_at(102);
  EXPECT_THAT(rig.warps(1), ElementsAre(4));
  EXPECT_EQ(rig.policy->order().arriving(), WarpMask{0xE0});
  rig.start(0);  // its warps have lower slots, and go first, from the next cycle on
  rig.update_at(103);
  EXPECT_THAT(rig.warps(0), ElementsAre());
  EXPECT_THAT(rig.warps(1), ElementsAre(4, 5));
  rig.update_at(104);
  EXPECT_THAT(rig.warps(0), ElementsAre(0));
  EXPECT_THAT(rig.warps(1), ElementsAre(4, 5));
  rig.update_at(108);
  EXPECT_THAT(rig.warps(1), ElementsAre(4, 5, 6));
  EXPECT_NE(rig.policy->order().arriving(), 0U);
  rig.update_at(109);
  EXPECT_THAT(rig.warps(0), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(rig.warps(1), ElementsAre(4, 5, 6, 7));
  EXPECT_EQ(rig.policy->order().arriving(), 0U);
}

TEST(ProTimingTest, ABlockMayEndBeforeItsWarpsHaveEntered) {
  ProRig rig(hw::Timing::kHardware);
  rig.start(0);
  rig.end(0);
  EXPECT_EQ(rig.policy->order().arriving(), 0U);
  EXPECT_THAT(rig.tbs(), ElementsAre());
  rig.update_at(10);
  rig.start(0);
  rig.update_at(15);
  EXPECT_THAT(rig.warps(0), ElementsAre(0, 1, 2, 3));
}

TEST(ProTimingTest, InIdealTimingWarpsEnterAtOnce) {
  ProRig rig;
  rig.start(0);
  EXPECT_THAT(rig.warps(0), ElementsAre(0, 1, 2, 3));
}

TEST(ProTimingTest, WhatTwoSchedulersAddToOneBlockInACycleIsMergedBankedOrLost) {
  for (const ProSameTb same : {ProSameTb::kMerge, ProSameTb::kBank, ProSameTb::kLose}) {
    ProParameters pro;
    pro.same_tb = same;
    ProRig rig(hw::Timing::kHardware, pro);
    rig.start(0);
    rig.update_at(20);
    rig.issue(0, 32);  // scheduler 0
    rig.issue(1, 8);   // scheduler 1
    EXPECT_EQ(rig.blocks().progress(0), same == ProSameTb::kLose ? 8U : 40U);
    EXPECT_EQ(rig.blocks().warp_progress(0), 32U);
    EXPECT_EQ(rig.blocks().lost_additions(), same == ProSameTb::kLose ? 1U : 0U);
  }
}

TEST(ProTimingTest, ABlockDoesNotLoseCountOfItsWarpsWhateverBecomesOfProgress) {
  ProParameters pro;
  pro.same_tb = ProSameTb::kLose;
  ProRig rig(hw::Timing::kHardware, pro);
  rig.start(0);
  rig.arrive(0);
  rig.arrive(1);
  EXPECT_EQ(rig.blocks().at_barrier(0), 2U);
  rig.finish(2);
  rig.finish(3);
  EXPECT_EQ(rig.blocks().finished(0), 2U);
}

/// A comparison at t sees what was added at t - 3 by adders of three cycles, and not what was at t - 2.
TEST(ProTimingTest, ProgressThatIsBeingAddedIsNotCompared) {
  for (const std::uint64_t issued_at : {996, 997, 998, 999}) {
    ProParameters pro;
    pro.add_cycles = 3;
    pro.cycles_per_compare = 1;
    ProRig rig(hw::Timing::kHardware, pro);
    rig.start(0);
    rig.start(1);
    rig.update_at(30);
    rig.update_at(issued_at);
    rig.issue(4);
    rig.update_at(1000);
    EXPECT_EQ(rig.blocks().progress(1), issued_at < 999 ? 32U : 0U) << issued_at;
    rig.update_at(1001);  // the only comparison that there is: of the state before this cycle
    rig.update_at(1003);
    EXPECT_EQ(rig.blocks().progress(1), 32U);
    EXPECT_THAT(rig.tbs(), issued_at < 999 ? ElementsAre(1, 0) : ElementsAre(0, 1)) << issued_at;
  }
}

TEST(ProTimingTest, ANewBlockDoesNotGetWhatWasAddedToTheOneBefore) {
  ProParameters pro;
  pro.add_cycles = 3;
  ProRig rig(hw::Timing::kHardware, pro);
  rig.start(0);
  rig.update_at(100);
  rig.issue(0);
  rig.end(0);
  rig.update_at(101);
  rig.start(0);
  rig.update_at(110);
  EXPECT_EQ(rig.blocks().progress(0), 0U);
  EXPECT_EQ(rig.blocks().warp_progress(0), 0U);
}

TEST(ProTimingTest, TheDepthOfTheLogicSetsTheCyclesOfAComparison) {
  const ProRig rig(hw::Timing::kHardware);
  const hw::GroupSorter& sorter = rig.policy->order().warp_sorter();
  const double depth =
      sorter.structure().path.fo4();  // of the longer half: from what has been read to the swap
  const unsigned cycles = sorter.cycles() - sorter.read_cycles();
  EXPECT_EQ(sorter.read_cycles(), 1U);
  EXPECT_GE(cycles * (hw::Owner::kDefaultClockFo4 - 4), depth - 4);
  EXPECT_LT((cycles - 1) * (hw::Owner::kDefaultClockFo4 - 4), depth - 4);
  EXPECT_GT(cycles, 1U);
}

// --- cost

std::uint64_t paper_bits(const hw::Inventory& inventory) {
  return std::accumulate(inventory.parts().begin(), inventory.parts().end(), std::uint64_t{0},
                         [](std::uint64_t sum, const hw::Part* part) {
                           return sum + part->structure().paper_bits(part->paper_count());
                         });
}

// State, warps and progress; of equals the kernel and the index in its grid.
TEST(ProCostTest, ATieOfBlocksIsBrokenByIndicesOfTheGrid) {
  const ProRig rig;
  EXPECT_EQ(rig.policy->order().tb_sorter().structure().comparator_bits, 3U + 8 + 32 + 16 + 26);
  EXPECT_EQ(rig.policy->order().warp_sorter().structure().comparator_bits, 32U + 6);
}

TEST(ProCostTest, ThePartsComeToThePapersTotal) {
  WarpTable table;
  GpuConfig config;
  config.scheduler.name = "pro";
  hw::Inventory inventory;
  hw::Owner owner;
  owner.inventory = &inventory;
  owner.path = "sm0";
  const SmPolicies policies({table, config, 0, nullptr, nullptr, owner});
  EXPECT_EQ(paper_bits(inventory), 240U * 8);  // PRO III.E, 48 warps and 8 TBs
  for (const hw::Part* part : inventory.parts()) EXPECT_EQ(part->owner(), "sm0/pro");
}

// Each of two schedulers finds out which TBs have one of its 24 warps among the requests, takes the first TB
// and its first warp, and knows which TBs and warps are before these.
TEST(ProCostTest, RequestsOfBlocksAndWarpsPassedOverArePriced) {
  WarpTable table;
  GpuConfig config;
  config.scheduler.name = "pro";
  hw::Inventory inventory;
  hw::Owner owner;
  owner.inventory = &inventory;
  const SmPolicies policies({table, config, 0, nullptr, nullptr, owner});
  std::map<std::string, hw::Structure> parts;
  for (const hw::Part* part : inventory.parts()) parts[std::string(part->name())] = part->structure();
  for (const std::string scheduler : {"0", "1"}) {
    EXPECT_NEAR(parts["tb_requests" + scheduler].area.selection, 8 * 24 * 1.6, 0.01);
    EXPECT_EQ(parts["tb_selector" + scheduler].selector_inputs, 8U);
    EXPECT_EQ(parts["tb_selector" + scheduler].comparator_bits, 3U);
    EXPECT_EQ(parts["warp_selector" + scheduler].selector_inputs, 24U);
    EXPECT_EQ(parts["warp_selector" + scheduler].comparator_bits, 6U);
    EXPECT_EQ(parts["tbs_passed_over" + scheduler].comparators, 8U);
    EXPECT_EQ(parts["warps_passed_over" + scheduler].comparators, 24U);
  }
  // Who is before the choice is known behind it: a line to each warp, a comparison of ranks, two gates.
  std::map<std::string, double> fo4;
  for (const hw::Inventory::BlockPath& path : inventory.paths()) fo4[path.name] = path.path.fo4();
  EXPECT_NEAR(fo4["from ready to passed over"] - fo4["from ready to chosen"],
              std::log2(24) / 2 + 1.6 * std::log2(6) + 2, 0.01);
}

TEST(ProCostTest, ThePapersFormulaHoldsForOtherSizes) {
  WarpTable table;
  GpuConfig config;
  config.scheduler.name = "pro";
  config.core.warps = 64;
  config.core.tb_slots = 16;
  hw::Inventory inventory;
  hw::Owner owner;
  owner.inventory = &inventory;
  const SmPolicies policies({table, config, 0, nullptr, nullptr, owner});
  EXPECT_EQ(paper_bits(inventory), 8U * (4 * 64 + 4 * 16 + 16 + 16));
}

// --- selection

TEST(ProSelectTest, EachSchedulerTakesTheFirstReadyWarpOfItsOwn) {
  WarpTable table;
  GpuConfig config;
  config.scheduler.name = "pro";
  SmPolicies policies({table, config});
  for (unsigned slot = 0; slot < 2; ++slot) {
    policies.tell<event::TbStart>({slot, slot, 0, ProRig::warps_of(slot), 1, 4});
  }
  policies.tell<event::BarrierArrive>({1, 0, warp_bit(4), 2});
  policies.tell<event::Issue>({5, nullptr, kAllLanes, 3});
  EXPECT_EQ(policies.of_scheduler(0).prioritizer->select(4, 0b0101'0101), 4U);  // TB 1 waits at a barrier
  EXPECT_EQ(policies.of_scheduler(1).prioritizer->select(4, 0b1010'1010), 5U);
  EXPECT_EQ(policies.of_scheduler(1).prioritizer->select(4, 0b1000'1010), 7U);
  EXPECT_EQ(policies.of_scheduler(1).prioritizer->select(4, 0b0000'1010), 1U);
}

TEST(ProSelectTest, ComposesWithAQualifierAndRefusesBadParameters) {
  WarpTable table;
  GpuConfig config;
  config.scheduler.name = "none+pro";
  EXPECT_NO_THROW(SmPolicies({table, config}));
  config.scheduler.settings.edit(pro_parameters).threshold_cycles = 0;
  EXPECT_THROW(SmPolicies({table, config}), std::invalid_argument);
  config.scheduler.settings.edit(pro_parameters) = {};
  config.scheduler.settings.edit(pro_parameters).tb_comparators = 5;  // 8 TBs have four pairs
  EXPECT_THROW(SmPolicies({table, config}), std::invalid_argument);
}

}  // namespace
}  // namespace heddle
