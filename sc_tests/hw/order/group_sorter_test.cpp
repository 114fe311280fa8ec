#include "hw/order/group_sorter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>

namespace heddle::hw {
namespace {

using ::testing::ElementsAre;

Owner owner_with(Timing timing) {
  Owner owner;
  owner.path = "sm0/pro";
  owner.timing = timing;
  return owner;
}

GroupSorterShape shape_of(unsigned entries, unsigned groups, unsigned comparators, unsigned cycles) {
  GroupSorterShape shape;
  shape.entries = entries;
  shape.groups = groups;
  shape.comparators = comparators;
  shape.cycles_per_compare = cycles;
  return shape;
}

/// Greater keys first, but the members of `fixed` stay among themselves as they are.
struct Rule : SortRule {
  std::vector<std::uint64_t> keys = std::vector<std::uint64_t>(64);
  std::uint64_t fixed = 0;
  std::vector<Cycle> done;
  bool swap_needed(unsigned /*group*/, unsigned first, unsigned second) const override {
    if ((fixed >> first & fixed >> second & 1U) != 0) return false;
    return keys[second] > keys[first];
  }
  void sorted(unsigned /*group*/, Cycle cycle, bool /*again*/) override { done.push_back(cycle); }
};

std::vector<unsigned> order_of(const GroupSorter& sorter, unsigned group) {
  return {sorter.order(group), sorter.order(group) + sorter.size(group)};
}

TEST(GroupSorter, SortsAGroupAtOnceInIdealTimingAndLeavesTheOthers) {
  Rule rule;
  GroupSorter sorter(owner_with(Timing::kIdeal), "s", shape_of(8, 2, 1, 5), rule);
  for (unsigned i = 0; i < 6; ++i) {
    rule.keys[i] = i;
    sorter.append(0, i % 2, i);
  }
  sorter.request(7, 1);
  EXPECT_THAT(order_of(sorter, 0), ElementsAre(0, 2, 4));
  EXPECT_THAT(order_of(sorter, 1), ElementsAre(5, 3, 1));
  EXPECT_THAT(rule.done, ElementsAre(7));
  EXPECT_FALSE(sorter.busy());
}

TEST(GroupSorter, GroupsHaveTheirOwnComparators) {
  Rule rule;
  GroupSorter sorter(owner_with(Timing::kHardware), "s", shape_of(8, 2, 1, 5), rule);
  for (unsigned i = 0; i < 6; ++i) {
    rule.keys[i] = i;
    sorter.append(0, i % 2, i);
  }
  sorter.request(100, 0);
  sorter.request(100, 1);
  EXPECT_EQ(sorter.next_done(), 111U);  // from the next cycle on, two comparisons if they are in order
  sorter.advance(115);
  EXPECT_THAT(order_of(sorter, 0), ElementsAre(0, 2, 4));
  EXPECT_TRUE(sorter.busy(0) && sorter.busy(1));
  sorter.advance(116);
  EXPECT_THAT(order_of(sorter, 0), ElementsAre(4, 2, 0));
  EXPECT_THAT(order_of(sorter, 1), ElementsAre(5, 3, 1));
  EXPECT_EQ(sorter.use().busy_cycles, 32U);
  EXPECT_EQ(sorter.use().longest_cycles, 16U);
  EXPECT_EQ(sorter.use().swaps, 6U);
  EXPECT_EQ(sorter.activity().compares, 6U);
  EXPECT_EQ(sorter.activity().reads, 2U * 6);
  EXPECT_EQ(sorter.activity().writes, 6U + 2 * 6);  // the members that came, and the pairs exchanged
  EXPECT_EQ(sorter.next_done(), GroupSorter::kNever);
}

TEST(GroupSorter, IsRestlessFromTheRequestUntilTheOrderIsInForce) {
  Rule rule;
  GroupSorter sorter(owner_with(Timing::kHardware), "s", shape_of(8, 2, 1, 5), rule);
  for (unsigned i = 0; i < 4; ++i) sorter.append(0, i % 2, i);
  EXPECT_FALSE(sorter.restless(0));
  sorter.request(100, 1);
  EXPECT_TRUE(sorter.restless(101));
  sorter.advance(400);  // it is asked of past cycles, too
  EXPECT_TRUE(sorter.restless(105));
  EXPECT_FALSE(sorter.restless(106));
  EXPECT_FALSE(sorter.restless(400));
}

TEST(GroupSorter, PairsThatTheRuleLeavesKeepTheirOrder) {
  Rule rule;
  GroupSorter sorter(owner_with(Timing::kIdeal), "s", shape_of(4, 1, 1, 0), rule);
  for (unsigned i = 0; i < 4; ++i) sorter.append(0, 0, i);
  rule.keys = {9, 1, 8, 5};
  rule.fixed = 0b0111;
  sorter.request(0, 0);
  EXPECT_THAT(order_of(sorter, 0), ElementsAre(0, 1, 2, 3));  // 8 is before 5 already
  rule.keys = {9, 6, 2, 5};
  sorter.request(0, 0);
  EXPECT_THAT(order_of(sorter, 0), ElementsAre(0, 1, 3, 2));
}

/// A group of two; a comparison takes 10 cycles.
std::unique_ptr<GroupSorter> pair_in_hardware(Rule& rule) {
  auto sorter =
      std::make_unique<GroupSorter>(owner_with(Timing::kHardware), "s", shape_of(4, 1, 1, 10), rule);
  for (unsigned i = 0; i < 2; ++i) sorter->append(0, 0, i);
  return sorter;
}

TEST(GroupSorter, ARequestMeanwhileIsServedNextARestartAtOnce) {
  Rule rule;
  const auto pair = pair_in_hardware(rule);
  GroupSorter& sorter = *pair;
  sorter.request(0, 0);
  sorter.request(0, 0);  // begins in the next cycle anyway
  sorter.request(5, 0);
  sorter.advance(11);
  EXPECT_TRUE(sorter.busy());
  sorter.advance(21);
  EXPECT_FALSE(sorter.busy());
  EXPECT_THAT(rule.done, ElementsAre(11, 21));
  sorter.request(30, 0);
  sorter.restart(35, 0);
  sorter.advance(45);
  EXPECT_TRUE(sorter.busy());
  sorter.advance(46);
  EXPECT_FALSE(sorter.busy());
  EXPECT_EQ(sorter.use().waited, 2U);
}

TEST(GroupSorter, ARestartBeforeASortHasBegunHasNotWaitedForIt) {
  Rule rule;
  const auto pair = pair_in_hardware(rule);
  GroupSorter& sorter = *pair;
  sorter.request(10, 0);
  sorter.restart(10, 0);
  EXPECT_EQ(sorter.use().waited, 0U);
  sorter.restart(11, 0);
  EXPECT_EQ(sorter.use().waited, 1U);
}

TEST(GroupSorter, ASortOfWhichAllMembersLeaveIsNotCompleted) {
  Rule rule;
  GroupSorter sorter(owner_with(Timing::kHardware), "s", shape_of(4, 2, 1, 10), rule);
  for (unsigned i = 0; i < 4; ++i) sorter.append(i, i / 2, i);
  sorter.request(10, 0);
  sorter.request(10, 1);
  sorter.clear(15, 0);
  EXPECT_FALSE(sorter.busy(0));
  EXPECT_THAT(rule.done, ElementsAre(15));  // nothing is to be sorted any more
  EXPECT_EQ(sorter.use().sorts, 0U);
  EXPECT_EQ(sorter.use().busy_cycles, 0U);
  EXPECT_EQ(sorter.use().longest_cycles, 0U);
  sorter.remove(16, 1, 2);
  EXPECT_EQ(sorter.use().sorts, 1U);  // one alone is in order
  EXPECT_EQ(sorter.use().busy_cycles, 6U);
}

TEST(GroupSorter, ReadsKeysOnceInAStep) {
  Rule rule;
  Owner owner = owner_with(Timing::kHardware);
  owner.clock_fo4 = 14;
  GroupSorter sorter(owner, "s", shape_of(9, 2, 1, 0), rule);
  ASSERT_EQ(sorter.read_cycles(), 2U);
  ASSERT_EQ(sorter.cycles(), 5U);
  sorter.append(0, 0, 0);
  sorter.append(1, 0, 1);
  rule.keys = {1, 2};
  sorter.request(10, 0);
  sorter.advance(12);  // the second cycle of the step: what changes in it is too late
  rule.keys = {2, 1};
  sorter.advance(15);
  EXPECT_THAT(order_of(sorter, 0), ElementsAre(0, 1));
  sorter.advance(16);
  EXPECT_THAT(order_of(sorter, 0), ElementsAre(1, 0));
  sorter.request(20, 0);
  sorter.advance(21);
  rule.keys = {2, 2};
  sorter.advance(40);
  EXPECT_THAT(order_of(sorter, 0), ElementsAre(1, 0));  // equal keys stay
}

TEST(GroupSorter, AStepThatIsGivenUpExchangesNothing) {
  Rule rule;
  GroupSorter sorter(owner_with(Timing::kHardware), "s", shape_of(4, 1, 1, 10), rule);
  sorter.append(0, 0, 0);
  sorter.append(1, 0, 1);
  rule.keys = {1, 2, 0};
  sorter.request(10, 0);
  sorter.advance(20);
  rule.keys = {2, 1, 0};
  sorter.append(20, 0, 2);  // in the step's last cycle
  sorter.advance(100);
  EXPECT_THAT(order_of(sorter, 0), ElementsAre(0, 1, 2));
  EXPECT_EQ(sorter.use().swaps, 1U);  // that of the step which was given up
}

TEST(GroupSorter, AGroupLeavesAtOnceAndOneThatComesWhenASortIsAskedForIsSorted) {
  Rule rule;
  GroupSorter sorter(owner_with(Timing::kHardware), "s", shape_of(4, 2, 1, 10), rule);
  for (unsigned i = 0; i < 4; ++i) sorter.append(i, i / 2, i);
  sorter.request(10, 0);
  sorter.clear(12, 0);
  EXPECT_FALSE(sorter.busy());
  EXPECT_EQ(sorter.size(0), 0U);
  EXPECT_THAT(order_of(sorter, 1), ElementsAre(2, 3));
  sorter.append(13, 0, 1);
  rule.keys = {9, 1, 0, 0};
  sorter.request(14, 0);
  sorter.append(14, 0, 0);
  EXPECT_TRUE(sorter.busy(0));
  sorter.advance(25);
  EXPECT_THAT(order_of(sorter, 0), ElementsAre(0, 1));
}

TEST(GroupSorter, MembersComeAndGoDuringASort) {
  Rule rule;
  GroupSorter sorter(owner_with(Timing::kHardware), "s", shape_of(8, 1, 1, 1), rule);
  for (unsigned i = 0; i < 4; ++i) {
    rule.keys[i] = i;
    sorter.append(0, 0, i);
  }
  sorter.request(0, 0);
  sorter.advance(2);
  sorter.remove(2, 0, 1);
  rule.keys[7] = 9;
  sorter.append(3, 0, 7);
  sorter.advance(100);
  EXPECT_THAT(order_of(sorter, 0), ElementsAre(7, 3, 2, 0));
}

TEST(GroupSorter, IsAlwaysAPermutationAndSortedWhenDone) {
  std::mt19937 engine(5);
  const auto random = [&engine] { return static_cast<unsigned>(engine()); };
  for (unsigned round = 0; round < 200; ++round) {
    Rule rule;
    const unsigned comparators = 1 + random() % 4;
    GroupSorter sorter(owner_with(Timing::kHardware), "s", shape_of(16, 2, comparators, 1 + random() % 3),
                       rule);
    std::vector<unsigned> members[2];
    for (unsigned i = 0; i < 16; ++i) {
      const unsigned group = random() % 2;
      members[group].push_back(i);
      sorter.append(0, group, i);
    }
    Cycle cycle = 0;
    for (unsigned event = 0; event < 20; ++event) {
      cycle += random() % 20;
      sorter.advance(cycle);
      for (unsigned change = 0; change < 3; ++change) rule.keys[random() % 16] = random() % 100;
      for (const unsigned group : {0U, 1U}) {
        std::vector<unsigned> held = order_of(sorter, group);
        std::sort(held.begin(), held.end());
        EXPECT_EQ(held, members[group]);
        sorter.request(cycle, group);
      }
    }
    sorter.advance(cycle + 2000);
    for (const unsigned group : {0U, 1U}) {
      const std::vector<unsigned> held = order_of(sorter, group);
      EXPECT_TRUE(std::is_sorted(held.begin(), held.end(),
                                 [&](unsigned a, unsigned b) { return rule.keys[a] > rule.keys[b]; }));
    }
  }
}

TEST(GroupSorter, RefusesWhatItIsNotMadeFor) {
  Rule rule;
  EXPECT_THROW(GroupSorter({}, "s", shape_of(0, 1, 1, 0), rule), std::invalid_argument);
  EXPECT_THROW(GroupSorter({}, "s", shape_of(8, 0, 1, 0), rule), std::invalid_argument);
  EXPECT_THROW(GroupSorter({}, "s", shape_of(8, 1, 5, 0), rule), std::invalid_argument);
  GroupSorter sorter({}, "s", shape_of(2, 1, 1, 0), rule);
  EXPECT_THROW(sorter.append(0, 0, 2), std::logic_error);
  EXPECT_THROW(sorter.remove(0, 0, 1), std::logic_error);
}

TEST(GroupSorter, PricesComparatorsPerGroup) {
  Rule rule;
  const GroupSorter one({}, "s", shape_of(48, 1, 1, 1), rule);
  const GroupSorter eight({}, "s", shape_of(48, 8, 1, 1), rule);
  EXPECT_EQ(eight.structure().comparators, 8U);
  EXPECT_GE(eight.structure().area.read_muxes, one.structure().area.read_muxes + 7 * 2 * 48 * 32 * 1.6);
  EXPECT_EQ(eight.structure().declared_bits(), one.structure().declared_bits());
  EXPECT_EQ(eight.structure().hidden_bits - one.structure().hidden_bits, 7U * (6 + 6 + 5 + 4));
}

TEST(GroupSorter, PricesNoBitsOfThePairThatAStepOfSeveralComparatorsDoesNotChange) {
  Rule rule;
  const auto hidden_bits = [&rule](unsigned entries, unsigned comparators) {
    return GroupSorter({}, "s", shape_of(entries, 1, comparators, 1), rule).structure().hidden_bits;
  };
  EXPECT_EQ(hidden_bits(24, 1) - hidden_bits(24, 4), 2U);
  EXPECT_EQ(hidden_bits(24, 1), hidden_bits(24, 3));
  EXPECT_EQ(hidden_bits(4, 1) - hidden_bits(4, 2), 1U) << "all pairs of a turn are compared at once";
}

TEST(GroupSorter, PricesWhatAStepOfSeveralCyclesKeeps) {
  Rule rule;
  const GroupSorter one({}, "s", shape_of(48, 8, 1, 1), rule);
  const GroupSorter three({}, "s", shape_of(48, 8, 1, 3), rule);
  // Two keys per comparator, and two bits that count the cycles.
  EXPECT_EQ(three.structure().hidden_bits - one.structure().hidden_bits, 8U * (2 * 32 + 2));
  EXPECT_LT(three.structure().path.fo4(), one.structure().path.fo4());
}

TEST(GroupSorter, TakesOneMemberACycleInHardwareTiming) {
  Owner owner = owner_with(Timing::kHardware);
  owner.strict = true;
  Rule rule;
  GroupSorter sorter(owner, "s", shape_of(8, 2, 1, 5), rule);
  sorter.append(3, 0, 1);
  EXPECT_THROW(sorter.append(3, 1, 2), PortConflict);
  sorter.append(4, 1, 2);
  EXPECT_THAT(order_of(sorter, 1), ElementsAre(2));
}

TEST(GroupSorter, KeysInBanksAreReadAndAddedUp) {
  Rule rule;
  GroupSorterShape shape = shape_of(8, 1, 1, 0);
  const Structure plain = GroupSorter(owner_with(Timing::kIdeal), "s", shape, rule).structure();
  shape.key_banks = 2;
  shape.banked_bits = 8;
  const Structure banked = GroupSorter(owner_with(Timing::kIdeal), "s", shape, rule).structure();
  EXPECT_NEAR(banked.area.adders, 2 * 8 * 7.2, 1);  // one for each of the two keys
  EXPECT_GT(banked.area.read_muxes, plain.area.read_muxes);
  EXPECT_GT(banked.path.fo4(), plain.path.fo4());
}

TEST(GroupSorter, WhatBreaksTiesIsReadAndCompared) {
  Rule rule;
  GroupSorterShape shape = shape_of(8, 1, 1, 0);
  const Structure by_index = GroupSorter(owner_with(Timing::kIdeal), "s", shape, rule).structure();
  shape.tie_bits = 29;
  const Structure by_key = GroupSorter(owner_with(Timing::kIdeal), "s", shape, rule).structure();
  EXPECT_EQ(by_key.comparator_bits, by_index.comparator_bits - 3 + 29);
  EXPECT_GE(by_key.area.read_muxes, by_index.area.read_muxes + 2 * 29 * 8 * 1.6);  // two 8-to-1 of 29 bits
  EXPECT_EQ(by_key.hidden_bits, by_index.hidden_bits + 2UL * 29);
}

}  // namespace
}  // namespace heddle::hw
