#include "hw/order/in_place_sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace heddle::hw {
namespace {

Owner hardware() {
  Owner owner;
  owner.path = "sm0/pro";
  owner.timing = Timing::kHardware;
  owner.strict = true;
  return owner;
}

InPlaceSorterShape shape_of(unsigned entries, SortKeys keys, unsigned comparators = 1, unsigned cycles = 1) {
  InPlaceSorterShape shape;
  shape.entries = entries;
  shape.comparators = comparators;
  shape.cycles_per_compare = cycles;
  shape.keys = keys;
  shape.dynamic = false;
  return shape;
}

std::vector<unsigned> order_of(const InPlaceSorter& sorter) {
  return {sorter.order(), sorter.order() + sorter.size()};
}

std::vector<unsigned> expected_order(const std::vector<std::uint64_t>& keys, SortDirection direction) {
  std::vector<unsigned> order(keys.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    return direction == SortDirection::kAscending ? keys[a] < keys[b] : keys[a] > keys[b];
  });
  return order;
}

TEST(InPlaceSorter, SortsAtOnceInIdealTiming) {
  InPlaceSorter sorter(Owner{}, "s", shape_of(5, SortKeys::kLive));
  const std::vector<std::uint64_t> keys{7, 3, 9, 3, 1};
  sorter.start(100, keys.data(), SortDirection::kDescending);
  EXPECT_FALSE(sorter.busy());
  EXPECT_EQ(order_of(sorter), (std::vector<unsigned>{2, 0, 1, 3, 4}));
  sorter.start(100, keys.data(), SortDirection::kAscending);
  EXPECT_EQ(order_of(sorter), (std::vector<unsigned>{4, 1, 3, 0, 2}));
  EXPECT_EQ(sorter.cycles_per_compare(), 0U);
}

TEST(OddEvenSort, AllPhasesAtOnceAreWhatItsStepsComeTo) {
  std::mt19937 random(3);
  for (unsigned n = 0; n <= 64; ++n) {
    OddEvenSort stepped;
    stepped.size = n;
    std::iota(stepped.order.begin(), stepped.order.begin() + n, std::uint8_t{0});
    std::shuffle(stepped.order.begin(), stepped.order.begin() + n, random);
    if (n > 9) std::sort(stepped.order.begin() + 4, stepped.order.begin() + n);  // a few are out of order
    OddEvenSort at_once = stepped;
    const auto swap_needed = [](unsigned first, unsigned second) { return second < first; };
    stepped.begin();
    OddEvenSort::Step steps;
    while (!stepped.done()) {
      const OddEvenSort::Step step = stepped.step(n, swap_needed);
      steps.compares += step.compares;
      steps.swaps += step.swaps;
    }
    at_once.begin();
    const OddEvenSort::Step all = at_once.make_all(swap_needed);
    EXPECT_TRUE(at_once.done());
    EXPECT_EQ(at_once.order, stepped.order);
    EXPECT_EQ(all.compares, steps.compares) << n;
    EXPECT_EQ(all.swaps, steps.swaps) << n;
  }
}

TEST(InPlaceSorter, SortsWhateverTheSizeAndTheComparators) {
  std::mt19937 random(11);
  for (unsigned n = 1; n <= 64; n += 3) {
    for (unsigned k = 1; k <= std::max(1U, n / 2); k += 5) {
      for (const SortKeys mode : {SortKeys::kLive, SortKeys::kLatched}) {
        InPlaceSorter sorter(hardware(), "s", shape_of(n, mode, k));
        Cycle cycle = 0;
        for (const SortDirection direction : {SortDirection::kAscending, SortDirection::kDescending}) {
          std::vector<std::uint64_t> keys(n);
          for (std::uint64_t& key : keys) key = random() % (n + 1);
          sorter.start(cycle, keys.data(), direction);
          cycle += 5000;
          sorter.advance(cycle);
          EXPECT_FALSE(sorter.busy());
          EXPECT_EQ(order_of(sorter), expected_order(keys, direction)) << n << " entries, " << k;
        }
      }
    }
  }
}

TEST(InPlaceSorter, OneMemberComesAndAsManyLeaveInACycleAsTheShapeSays) {
  Owner owner;
  owner.timing = Timing::kHardware;
  owner.strict = true;
  InPlaceSorterShape shape;
  shape.entries = 8;
  InPlaceSorter one(owner, "s", shape);
  one.append(4, 3);
  EXPECT_THROW(one.append(4, 2), PortConflict);
  one.append(5, 2);
  one.remove(6, 3);
  EXPECT_THROW(one.remove(6, 2), PortConflict);
  const double area_of_one = one.structure().area.writes;
  shape.removals = 2;
  InPlaceSorter two(owner, "s", shape);
  two.append(4, 3);
  two.append(5, 2);
  two.remove(6, 3);
  two.remove(6, 2);
  EXPECT_EQ(two.size(), 0U);
  EXPECT_DOUBLE_EQ(two.structure().area.writes,
                   area_of_one + 2 * 2.0 * 8 * 3);  // both orders shift once more
}

// n (n - 1) / 2 comparisons at worst: 276 for 24 (hardware-cost.md).
TEST(InPlaceSorter, TakesEveryPairInReverseOrder) {
  InPlaceSorter sorter(hardware(), "s", shape_of(24, SortKeys::kLatched, 1, 3));
  std::vector<std::uint64_t> keys(24);
  std::iota(keys.begin(), keys.end(), 0U);
  sorter.start(1000, keys.data(), SortDirection::kDescending);
  EXPECT_EQ(sorter.done_at_cycle(), 1000U + 276 * 3);
  sorter.advance(1000 + 276 * 3 - 1);
  EXPECT_TRUE(sorter.busy());
  EXPECT_EQ(sorter.order()[0], 0U);  // the last completed order is in force
  sorter.advance(1000 + 276 * 3);
  EXPECT_FALSE(sorter.busy());
  EXPECT_EQ(sorter.order()[0], 23U);
  EXPECT_EQ(sorter.activity().compares, 276U);
  EXPECT_EQ(sorter.activity().reads, 2U * 276);
  EXPECT_EQ(sorter.activity().writes, 2U * 276);  // every pair is exchanged
}

TEST(InPlaceSorter, TakesOnePassWhenInOrder) {
  for (const SortKeys mode : {SortKeys::kLive, SortKeys::kLatched}) {
    InPlaceSorter sorter(hardware(), "s", shape_of(24, mode));
    const std::vector<std::uint64_t> keys(24, 5);
    sorter.start(10, keys.data(), SortDirection::kDescending);
    EXPECT_EQ(sorter.done_at_cycle(), 33U);
    sorter.advance(32);
    EXPECT_TRUE(sorter.busy());
    sorter.advance(33);
    EXPECT_FALSE(sorter.busy());
    EXPECT_EQ(sorter.activity().compares, 23U);
    EXPECT_EQ(sorter.activity().reads, 2U * 23);
    EXPECT_EQ(sorter.activity().writes, 0U);
    EXPECT_EQ(sorter.done_at_cycle(), InPlaceSorter::kNever);
  }
}

TEST(InPlaceSorter, SharesTheWorkAmongComparators) {
  InPlaceSorter sorter(hardware(), "s", shape_of(24, SortKeys::kLatched, 12, 1));
  std::vector<std::uint64_t> keys(24);
  std::iota(keys.begin(), keys.end(), 0U);
  sorter.start(0, keys.data(), SortDirection::kDescending);
  EXPECT_EQ(sorter.done_at_cycle(), 24U);  // one step per phase
}

TEST(InPlaceSorter, LatchedKeysMayChangeMeanwhile) {
  InPlaceSorter sorter(hardware(), "s", shape_of(4, SortKeys::kLatched));
  std::vector<std::uint64_t> keys{4, 3, 2, 1};
  sorter.start(0, keys.data(), SortDirection::kAscending);
  keys = {1, 2, 3, 4};
  sorter.advance(100);
  EXPECT_EQ(order_of(sorter), (std::vector<unsigned>{3, 2, 1, 0}));
}

TEST(InPlaceSorter, LiveKeysAreComparedAsTheyAre) {
  InPlaceSorter sorter(hardware(), "s", shape_of(2, SortKeys::kLive, 1, 3));
  std::vector<std::uint64_t> keys{1, 2};
  sorter.start(0, keys.data(), SortDirection::kAscending);
  sorter.advance(2);
  keys = {2, 1};  // before the comparison ends at 3
  sorter.advance(3);
  EXPECT_EQ(order_of(sorter), (std::vector<unsigned>{1, 0}));
  sorter.start(10, keys.data(), SortDirection::kAscending);
  sorter.advance(13);
  keys = {1, 2};  // after it
  sorter.advance(100);
  EXPECT_EQ(order_of(sorter), (std::vector<unsigned>{1, 0}));
}

// Being asked in every cycle or once at the end gives the same order, counts and time.
TEST(InPlaceSorter, MakesUpForCyclesInWhichItWasNotAsked) {
  std::mt19937 random(5);
  std::vector<std::uint64_t> keys(31);
  for (std::uint64_t& key : keys) key = random() % 100;
  InPlaceSorter often(hardware(), "a", shape_of(31, SortKeys::kLive, 2, 3));
  InPlaceSorter seldom(hardware(), "b", shape_of(31, SortKeys::kLive, 2, 3));
  often.start(7, keys.data(), SortDirection::kAscending);
  seldom.start(7, keys.data(), SortDirection::kAscending);
  Cycle done = 0;
  for (Cycle cycle = 7; often.busy(); ++cycle) {
    EXPECT_GE(often.done_at_cycle(), cycle);
    often.advance(cycle);
    done = cycle;
  }
  seldom.advance(done - 1);
  EXPECT_TRUE(seldom.busy());
  seldom.advance(done);
  EXPECT_FALSE(seldom.busy());
  EXPECT_EQ(order_of(often), order_of(seldom));
  EXPECT_EQ(often.activity().compares, seldom.activity().compares);
}

TEST(InPlaceSorter, AsksNoEarlierThanTheSortCanBeDone) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::uint64_t> keys(12);
    for (std::uint64_t& key : keys) key = random() % 20;
    InPlaceSorter latched(hardware(), "a", shape_of(12, SortKeys::kLatched, 2, 2));
    InPlaceSorter live(hardware(), "b", shape_of(12, SortKeys::kLive, 2, 2));
    latched.start(0, keys.data(), SortDirection::kAscending);
    live.start(0, keys.data(), SortDirection::kAscending);
    const Cycle exact = latched.done_at_cycle();
    while (live.busy()) {
      const Cycle asked = live.done_at_cycle();
      EXPECT_LE(asked, exact);
      live.advance(asked - 1);
      EXPECT_TRUE(live.busy());
      live.advance(asked);
      if (!live.busy()) {
        EXPECT_EQ(asked, exact);
      }
    }
  }
}

TEST(InPlaceSorter, MembersComeAndGo) {
  InPlaceSorterShape shape = shape_of(8, SortKeys::kLive);
  shape.dynamic = true;
  InPlaceSorter sorter(hardware(), "s", shape);
  const std::vector<std::uint64_t> keys{0, 10, 20, 30, 40, 50, 60, 70};
  Cycle cycle = 0;
  for (const unsigned index : {2U, 5U, 7U}) sorter.append(cycle++, index);
  EXPECT_EQ(order_of(sorter), (std::vector<unsigned>{2, 5, 7}));
  sorter.start(10, keys.data(), SortDirection::kDescending);
  sorter.advance(13);
  EXPECT_EQ(order_of(sorter), (std::vector<unsigned>{7, 5, 2}));
  sorter.append(14, 6);
  sorter.remove(14, 5);
  EXPECT_EQ(order_of(sorter), (std::vector<unsigned>{7, 2, 6}));
  EXPECT_EQ(sorter.members(), 0xc4U);
  sorter.start(15, keys.data(), SortDirection::kDescending);
  sorter.remove(16, 7);  // a sort under way starts anew
  EXPECT_TRUE(sorter.busy());
  sorter.advance(16);
  EXPECT_TRUE(sorter.busy());
  sorter.advance(17);
  EXPECT_EQ(order_of(sorter), (std::vector<unsigned>{6, 2}));
  sorter.clear(18);
  EXPECT_EQ(sorter.size(), 0U);
}

TEST(InPlaceSorter, ComparesOnlyTheDeclaredKeyBits) {
  InPlaceSorterShape shape = shape_of(2, SortKeys::kLive);
  shape.key_bits = 4;
  InPlaceSorter sorter(Owner{}, "s", shape);
  const std::vector<std::uint64_t> keys{3, 0x10};
  sorter.start(0, keys.data(), SortDirection::kAscending);
  EXPECT_EQ(order_of(sorter), (std::vector<unsigned>{1, 0}));
}

TEST(InPlaceSorter, UnbufferedShowsTheWorkingOrder) {
  InPlaceSorterShape shape = shape_of(3, SortKeys::kLive);
  shape.buffered = false;
  InPlaceSorter sorter(hardware(), "s", shape);
  const std::vector<std::uint64_t> keys{3, 2, 1};
  sorter.start(0, keys.data(), SortDirection::kAscending);
  sorter.advance(1);
  EXPECT_EQ(order_of(sorter), (std::vector<unsigned>{1, 0, 2}));
}

// 24 warps x 32 bits: a compare-swap of some 70 FO4 takes three cycles of 28 (hardware-cost.md).
TEST(InPlaceSorter, AComparisonThatDoesNotFitTheClockTakesSeveralCycles) {
  InPlaceSorterShape shape = shape_of(24, SortKeys::kLive);
  shape.cycles_per_compare = 0;
  EXPECT_EQ(InPlaceSorter(hardware(), "s", shape).cycles_per_compare(), 3U);
  Owner slow = hardware();
  slow.clock_fo4 = 80;
  EXPECT_EQ(InPlaceSorter(slow, "s", shape).cycles_per_compare(), 1U);
}

TEST(InPlaceSorter, KeepsTheCyclesLeftOfAComparisonThatTakesSeveral) {
  const auto hidden_bits = [](unsigned cycles) {
    return InPlaceSorter(hardware(), "s", shape_of(8, SortKeys::kLive, 1, cycles)).structure().hidden_bits;
  };
  EXPECT_EQ(hidden_bits(2) - hidden_bits(1), 1U);
  EXPECT_EQ(hidden_bits(4) - hidden_bits(1), 2U);
  EXPECT_EQ(hidden_bits(5) - hidden_bits(1), 3U);
}

TEST(InPlaceSorter, RejectsShapesOutOfRange) {
  EXPECT_THROW(InPlaceSorter(Owner{}, "s", shape_of(65, SortKeys::kLive)), std::invalid_argument);
  EXPECT_THROW(InPlaceSorter(Owner{}, "s", shape_of(8, SortKeys::kLive, 5)), std::invalid_argument);
  InPlaceSorter fixed(Owner{}, "s", shape_of(8, SortKeys::kLive));
  EXPECT_THROW(fixed.append(0, 1), std::logic_error);
}

// Three members in order take two comparisons; the fourth, which is to be the first, comes after one of them.
TEST(InPlaceSorter, AMemberThatComesDuringASortIsSortedToo) {
  InPlaceSorterShape shape = shape_of(4, SortKeys::kLive);
  shape.dynamic = true;
  InPlaceSorter sorter(hardware(), "s", shape);
  const std::vector<std::uint64_t> keys{5, 6, 7, 1};
  for (const unsigned index : {0U, 1U, 2U}) sorter.append(index, index);
  sorter.start(3, keys.data(), SortDirection::kAscending);
  sorter.append(4, 3);
  EXPECT_EQ(order_of(sorter), (std::vector<unsigned>{0, 1, 2, 3}));
  sorter.advance(100);
  EXPECT_EQ(order_of(sorter), (std::vector<unsigned>{3, 0, 1, 2}));
}

}  // namespace
}  // namespace heddle::hw
