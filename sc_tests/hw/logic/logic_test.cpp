#include <gtest/gtest.h>

#include <array>

#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/logic/multiplexer.h"
#include "hw/logic/priority_selector.h"
#include "hw/logic/request_groups.h"
#include "hw/order/age_order.h"
#include "hw/pricing/gates.h"
#include "sc_tests/hw/strict_hardware.h"

namespace heddle::hw {
namespace {

TEST(Comparator, ComparesInItsWidth) {
  Comparator comparator(Owner{}, "c", {4, 1, 0, false});
  EXPECT_TRUE(comparator.less(0, 3, 4));
  EXPECT_FALSE(comparator.less(0, 4, 4));
  EXPECT_TRUE(comparator.less_equal(0, 4, 4));
  EXPECT_FALSE(comparator.less_equal(0, 5, 4));
  EXPECT_TRUE(comparator.less(0, 0x10, 1));  // 4 wires: 0
  EXPECT_EQ(comparator.activity().compares, 5U);
}

TEST(Comparator, IsBusyForTheCyclesOfAComparison) {
  Comparator comparators(strict_hardware(), "c", {32, 2, 3, false});
  EXPECT_EQ(comparators.cycles(), 3U);
  comparators.less(10, 1, 2);
  comparators.less(11, 1, 2);
  EXPECT_THROW(comparators.less(12, 1, 2), PortConflict);  // free at 13 and 14
  comparators.less(13, 1, 2);
  EXPECT_THROW(comparators.less(13, 1, 2), PortConflict);
  comparators.less(14, 1, 2);
}

TEST(Comparator, ForEqualityTellsOnlyEquality) {
  Comparator comparator(Owner{}, "c", {4, 1, 0, true});
  EXPECT_TRUE(comparator.equal(0, 0x13, 3));
  EXPECT_THROW(comparator.less(0, 1, 2), std::logic_error);
}

TEST(Comparator, TakesAsManyCyclesAsItsDepthNeeds) {
  Owner owner = strict_hardware();  // 32 bits: 8 FO4 of logic and 4 of the flip-flop
  owner.clock_fo4 = 12;
  EXPECT_EQ(Comparator(owner, "c", {32, 1, 0, false}).cycles(), 1U);
  owner.clock_fo4 = 11.5;
  EXPECT_EQ(Comparator(owner, "c", {32, 1, 0, false}).cycles(), 2U);
  owner.clock_fo4 = 4;
  EXPECT_THROW(Comparator(owner, "c", {32, 1, 0, false}), std::invalid_argument);
}

TEST(Adder, WrapsOrSaturates) {
  Adder wrapping(Owner{}, "w", {6, Overflow::kWrap, 1, 0, 0});
  EXPECT_EQ(wrapping.add(0, 60, 10), 6U);
  EXPECT_EQ(wrapping.subtract(0, 3, 4), 63U);
  Adder saturating(Owner{}, "s", {6, Overflow::kSaturate, 1, 0, 0});
  EXPECT_EQ(saturating.add(0, 60, 10), 63U);
  EXPECT_EQ(saturating.subtract(0, 3, 4), 0U);
  EXPECT_EQ(saturating.activity().adds, 2U);
  EXPECT_EQ(saturating.activity().overflows, 2U);
}

TEST(PrioritySelector, PicksByItsForm) {
  PrioritySelector fixed(Owner{}, "f", 8, SelectorForm::kFixed);
  EXPECT_EQ(fixed.select(0xb0), 4U);
  EXPECT_EQ(fixed.select(0), kNoInput);
  PrioritySelector rotating(Owner{}, "r", 64, SelectorForm::kRotating);
  EXPECT_EQ(rotating.select_from(0xb0, 6), 7U);
  EXPECT_EQ(rotating.select_from(0x30, 6), 4U);
  EXPECT_EQ(rotating.select_from(std::uint64_t{1} << 63, 63), 63U);
  EXPECT_EQ(rotating.select_from(0, 3), kNoInput);
  PrioritySelector ordered(Owner{}, "o", 8, SelectorForm::kOrdered);
  const std::uint8_t order[] = {5, 1, 7, 0};
  EXPECT_EQ(ordered.select_in_order(0x83, order, 4), 1U);
  EXPECT_EQ(ordered.select_in_order(0x83, order, 1), kNoInput);
  EXPECT_EQ(ordered.activity().selects, 2U);
  EXPECT_THROW(fixed.select_from(1, 0), std::logic_error);
}

TEST(PrioritySelector, PricesTheLinesOfThosePassedOver) {
  const auto area = [](SelectorForm form, unsigned passed_over) {
    return PrioritySelector(Owner{}, "s", 24, form, passed_over).structure().area.total();
  };
  const double gates = 24 * 1.33;
  EXPECT_NEAR(area(SelectorForm::kFixed, 24) - area(SelectorForm::kFixed, 0), gates, 0.01);
  // Behind the first input a 2-to-1 multiplexer, AND-OR, and a gate.
  EXPECT_NEAR(area(SelectorForm::kRotating, 24) - area(SelectorForm::kRotating, 0), 23 * (2 * 1.6 + 1.33),
              0.01);
  // A decoder of 12 lines at each of 24 places, and an AND-OR of 24 lines at each of 12 entries.
  EXPECT_NEAR(area(SelectorForm::kOrdered, 12) - area(SelectorForm::kOrdered, 0),
              24 * 12 * 3.0 + 12 * 24 * 1.6, 0.01);
  EXPECT_THROW(PrioritySelector(Owner{}, "s", 24, SelectorForm::kFixed, 25), std::invalid_argument);
}

TEST(RequestGroups, TellsWhichGroupsHaveAMemberAmongTheRequests) {
  RequestGroups groups(Owner{}, "g", {3, 8, false});
  const std::array<std::uint64_t, 3> members{0x0f, 0x30, 0xc0};
  const auto of = [&members](unsigned group) { return members.at(group); };
  EXPECT_EQ(groups.with_any(0x18, of), 0x3U);
  EXPECT_EQ(groups.with_any(0x80, of), 0x4U);
  EXPECT_EQ(groups.with_any(0, of), 0U);
  EXPECT_EQ(groups.activity().selects, 3U);
}

// Lines that say who is a member cost an AND-OR of 1.6 per member, fixed wires an OR of 1.33 less one.
TEST(RequestGroups, CostsAnAndOrOrAnOrPerGroup) {
  EXPECT_NEAR(RequestGroups(Owner{}, "g", {8, 24, false}).structure().area.total(), 8 * 24 * 1.6, 0.01);
  EXPECT_NEAR(RequestGroups(Owner{}, "g", {3, 8, true}).structure().area.total(), 3 * 7 * 1.33, 0.01);
  EXPECT_GT(RequestGroups(Owner{}, "g", {8, 24, false}).structure().path.fo4(),
            RequestGroups(Owner{}, "g", {8, 4, false}).structure().path.fo4());
  EXPECT_THROW(RequestGroups(Owner{}, "g", {0, 8, true}), std::invalid_argument);
  EXPECT_THROW(RequestGroups(Owner{}, "g", {8, 65, true}), std::invalid_argument);
}

TEST(AgeOrder, PicksTheOldestOfAMask) {
  for (const AgeForm form : {AgeForm::kMatrix, AgeForm::kList}) {
    AgeOrder age(strict_hardware(), "a", {8, form, 1, 1});
    Cycle cycle = 0;
    for (const unsigned index : {3U, 6U, 1U}) age.append(cycle++, index);
    EXPECT_EQ(age.present(), 0x4aU);
    EXPECT_EQ(age.oldest(cycle++, 0xff), 3U);
    EXPECT_EQ(age.oldest(cycle++, 0x42), 6U);
    EXPECT_EQ(age.oldest(cycle++, 0x80), kNoInput);
    EXPECT_EQ(age.rank(cycle++, 1), 2U);
    age.remove(6);
    EXPECT_EQ(age.rank(cycle++, 1), 1U);
    age.append(cycle++, 3);  // the oldest becomes the youngest
    EXPECT_EQ(age.oldest(cycle++, 0xff), 1U);
    EXPECT_EQ(age.size(), 2U);
  }
}

TEST(AgeOrder, HasTheDeclaredPorts) {
  AgeOrder list(strict_hardware(), "l", {8, AgeForm::kList, 1, 0});
  list.append(0, 1);
  EXPECT_THROW(list.append(0, 2), PortConflict);
  AgeOrder age(strict_hardware(), "a", {8, AgeForm::kMatrix, 1, 0});
  age.append(0, 1);
  age.oldest(0, 1);
  EXPECT_THROW(age.oldest(0, 1), PortConflict);
  EXPECT_THROW(age.rank(0, 1), std::logic_error);
}

TEST(AgeOrder, KnowsWhomASelectionPassedOver) {
  AgeOrderShape shape{8, AgeForm::kMatrix, 1, 0};
  AgeOrder plain(strict_hardware(), "p", shape);
  EXPECT_THROW(plain.next_oldest(1), std::logic_error);
  shape.passes_over = true;
  AgeOrder age(strict_hardware(), "a", shape);
  Cycle cycle = 0;
  for (const unsigned index : {3U, 6U, 1U}) age.append(cycle++, index);
  EXPECT_EQ(age.oldest(cycle, 0xff), 3U);
  EXPECT_EQ(age.next_oldest(0xff - 0x08), 6U);  // in the same cycle
  EXPECT_EQ(age.next_oldest(0x02), 1U);
  EXPECT_EQ(age.next_oldest(0x80), kNoInput);
  EXPECT_EQ(age.activity().selects, 1U);
  EXPECT_NEAR(age.structure().area.total() - plain.structure().area.total(), 8 * 1.33, 0.01);
}

TEST(AgeOrder, EntriesMayBeWiredToEveryNthBit) {
  AgeOrderShape shape{4, AgeForm::kMatrix, 1, 0};
  shape.first = 1;
  shape.stride = 2;
  AgeOrder age(strict_hardware(), "a", shape);
  Cycle cycle = 0;
  for (const unsigned index : {7U, 1U, 5U}) age.append(cycle++, index);
  EXPECT_EQ(age.present(), 0xa2U);
  EXPECT_EQ(age.oldest(cycle, 0xff), 7U);
  EXPECT_THROW(age.append(cycle, 2), std::logic_error);  // the neighbour's
  EXPECT_THROW(age.append(cycle, 9), std::logic_error);  // a fifth
  EXPECT_EQ(age.structure().bits_per_entry, 6U);         // of four entries
  shape.first = 58;
  EXPECT_THROW(AgeOrder(strict_hardware(), "b", shape), std::invalid_argument);
}

TEST(AgeOrder, AMatrixTakesAnyEntriesAtOnceTheLowerAsTheOlder) {
  AgeOrder age(strict_hardware(), "a", {8, AgeForm::kMatrix, 1, 1});
  const auto order = [&age] {
    std::vector<unsigned> result;
    for (unsigned i = 0; i < age.size(); ++i) result.push_back(age.at(i));
    return result;
  };
  age.append(0, 6);
  for (const unsigned index : {4U, 2U, 7U, 3U}) age.append(1, index);
  EXPECT_EQ(order(), (std::vector<unsigned>{6, 2, 3, 4, 7}));
  age.remove(3);
  age.append(1, 3);  // in the same cycle still
  EXPECT_EQ(order(), (std::vector<unsigned>{6, 2, 3, 4, 7}));
  for (const unsigned index : {2U, 0U}) age.append(2, index);
  EXPECT_EQ(order(), (std::vector<unsigned>{6, 3, 4, 7, 0, 2}));
}

TEST(AgeOrder, FindsTheNOldestOfAMask) {
  AgeOrderShape shape{8, AgeForm::kMatrix, 0, 0};
  shape.first_n = true;
  AgeOrder age(strict_hardware(), "a", shape);
  Cycle cycle = 0;
  for (const unsigned index : {3U, 6U, 1U, 0U}) age.append(cycle++, index);
  EXPECT_EQ(age.oldest_n(0xff, 0), 0U);
  EXPECT_EQ(age.oldest_n(0xff, 2), 0x48U);
  EXPECT_EQ(age.oldest_n(0x83, 2), 0x03U);  // 1, then 0; 7 is not present
  EXPECT_EQ(age.oldest_n(0xff, 9), 0x4bU);
  AgeOrder plain(strict_hardware(), "p", {8, AgeForm::kMatrix, 1, 0});
  EXPECT_THROW(plain.oldest_n(1, 1), std::logic_error);
  EXPECT_LT(plain.structure().area.total(), age.structure().area.total());
}

TEST(Multiplexer, ReadsAnInputPerCycle) {
  Multiplexer multiplexers(strict_hardware(), "m", {24, 32, 2});
  EXPECT_EQ(multiplexers.cycles(), 1U);  // 22 FO4 (hardware-cost.md, "Sub-blocks") of the 24 that a cycle has
  multiplexers.read(7);
  multiplexers.read(7);
  EXPECT_THROW(multiplexers.read(7), PortConflict);
  multiplexers.read(8);
  EXPECT_EQ(multiplexers.activity().reads, 3U);
  EXPECT_NEAR(multiplexers.structure().area.read_muxes, 2 * 1980, 20);
}

// Behind a line per input it is an AND-OR: smaller, and not as deep.
TEST(Multiplexer, BehindLinesIsPricedByItsGates) {
  const Multiplexer by_number(Owner{}, "m", {48, 72, 1});
  const Multiplexer by_lines(Owner{}, "l", {48, 72, 1, true});
  EXPECT_DOUBLE_EQ(by_lines.structure().area.total(), gates::one_hot_mux(48, 72));
  EXPECT_LT(by_lines.structure().area.total(), by_number.structure().area.total());
  EXPECT_LT(by_lines.structure().path.fo4(), by_number.structure().path.fo4());
}

TEST(Multiplexer, RefusesShapesOutsideTheirRanges) {
  EXPECT_THROW(Multiplexer(Owner{}, "m", {0, 8, 1}), std::invalid_argument);
  EXPECT_THROW(Multiplexer(Owner{}, "m", {8, 0, 1}), std::invalid_argument);
  EXPECT_THROW(Multiplexer(Owner{}, "m", {8, 8, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace heddle::hw
