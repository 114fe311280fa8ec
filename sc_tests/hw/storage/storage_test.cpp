#include <gtest/gtest.h>

#include "hw/pricing/inventory.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/counter_array.h"
#include "hw/storage/fifo_queue.h"
#include "hw/storage/pipeline.h"
#include "hw/storage/register.h"
#include "sc_tests/hw/strict_hardware.h"

namespace heddle::hw {
namespace {

TEST(Register, KeepsItsWidth) {
  Register wrapping(Owner{}, "r", {5, Overflow::kWrap, 3});
  EXPECT_EQ(wrapping.value(), 3U);
  wrapping.write(0, 33);
  EXPECT_EQ(wrapping.value(), 1U);
  Register saturating(Owner{}, "s", {5, Overflow::kSaturate, 0});
  saturating.write(0, 33);
  EXPECT_EQ(saturating.value(), 31U);
  EXPECT_EQ(saturating.activity().overflows, 1U);
}

TEST(Register, WritesOnceACycle) {
  Register reg(strict_hardware(), "r", {8, Overflow::kWrap, 0});
  reg.write(7, 1);
  EXPECT_THROW(reg.write(7, 2), PortConflict);
  reg.write(8, 3);
  EXPECT_EQ(reg.value(), 3U);
}

TEST(Register, RejectsWidthsAndResetValuesOutOfRange) {
  EXPECT_THROW(Register(Owner{}, "r", {0, Overflow::kWrap, 0}), std::invalid_argument);
  EXPECT_THROW(Register(Owner{}, "r", {65, Overflow::kWrap, 0}), std::invalid_argument);
  EXPECT_THROW(Register(Owner{}, "r", {4, Overflow::kWrap, 16}), std::invalid_argument);
}

TEST(BitVector, CutsAtItsWidth) {
  BitVector mask(strict_hardware(), "m", 6);
  mask.load(0xff);
  EXPECT_EQ(mask.value(), 0x3fU);
  mask.clear_bits(0x3);
  mask.set_bits(0x1);
  EXPECT_EQ(mask.value(), 0x3dU);
  EXPECT_FALSE(mask.test(1));
}

TEST(BitVector, HasTheBitsThatAreWired) {
  BitVector odd(strict_hardware(), "m", Wires{0xaa});
  odd.load(0xff);
  EXPECT_EQ(odd.value(), 0xaaU);
  odd.clear_bits(0x0f);
  EXPECT_EQ(odd.value(), 0xa0U);
  EXPECT_EQ(odd.structure().bits_per_entry, 4U);
  EXPECT_THROW(BitVector(strict_hardware(), "n", Wires{0}), std::invalid_argument);
}

TEST(CounterArray, WrapsOrSaturatesAtItsWidth) {
  CounterArray wrapping(Owner{}, "w", {2, 8, Overflow::kWrap, 1, 1, 1, false, 0});
  wrapping.write(0, 1, 250);
  EXPECT_EQ(wrapping.add(0, 1, 10), 4U);
  EXPECT_EQ(wrapping.subtract(0, 1, 5), 255U);
  EXPECT_EQ(wrapping.value(0), 0U);
  EXPECT_EQ(wrapping.activity().overflows, 2U);
  CounterArray saturating(Owner{}, "s", {2, 8, Overflow::kSaturate, 1, 1, 1, false, 0});
  saturating.write(0, 0, 250);
  EXPECT_EQ(saturating.add(0, 0, 10), 255U);
  EXPECT_EQ(saturating.subtract(0, 0, 300), 211U);  // 300 is cut to 44 by the 8 wires of the operand
  EXPECT_EQ(saturating.subtract(0, 0, 255), 0U);
}

TEST(CounterArray, AddsNoWiderAmountsThanDeclared) {
  CounterArray counters(Owner{}, "c", {2, 32, Overflow::kWrap, 1, 1, 1, false, 6});
  EXPECT_EQ(counters.add(0, 0, 32), 32U);
  EXPECT_EQ(counters.add(0, 0, 64 + 3), 35U);
  EXPECT_THROW(CounterArray(Owner{}, "d", {2, 5, Overflow::kWrap, 1, 1, 1, false, 6}), std::invalid_argument);
}

TEST(CounterArray, CountsInPlaceAtAllEntriesInACycle) {
  CounterArrayShape shape{3, 8, Overflow::kWrap, 0, 0, 0, true, 2};
  CounterArray none(strict_hardware(), "n", shape);
  EXPECT_THROW(none.count(0), std::logic_error);
  shape.counts_in_place = true;
  CounterArray counters(strict_hardware(), "c", shape);
  for (unsigned i = 0; i < 3; ++i) counters.count(i);
  counters.count(1, 3, 80);  // 80 cycles of 3
  counters.count(2, 4 + 1);  // cut to two wires
  EXPECT_EQ(counters.value(0), 1U);
  EXPECT_EQ(counters.value(1), 241U);
  EXPECT_EQ(counters.value(2), 2U);
  counters.count(1, 1, 20);
  EXPECT_EQ(counters.value(1), 5U);
  counters.clear(1);
  EXPECT_EQ(counters.value(1), 0U);
  EXPECT_EQ(counters.value(2), 2U);
  EXPECT_EQ(counters.structure().adders, 3U);
  EXPECT_EQ(counters.structure().read_ports, 0U);
  EXPECT_GT(counters.structure().area.adders, 0);
  EXPECT_EQ(none.structure().area.adders, 0);
}

TEST(CounterArray, FullWidthOf64BitsWrapsAndSaturates) {
  CounterArray wrapping(Owner{}, "w", {1, 64, Overflow::kWrap, 1, 1, 1, false, 0});
  wrapping.write(0, 0, ~std::uint64_t{0});
  EXPECT_EQ(wrapping.add(0, 0, 2), 1U);
  CounterArray saturating(Owner{}, "s", {1, 64, Overflow::kSaturate, 1, 1, 1, false, 0});
  saturating.write(0, 0, ~std::uint64_t{0});
  EXPECT_EQ(saturating.add(0, 0, 2), ~std::uint64_t{0});
}

TEST(CounterArray, HasTheDeclaredPortsInEachCycle) {
  CounterArray counters(strict_hardware(), "c", {8, 8, Overflow::kWrap, 2, 1, 1, true, 0});
  counters.read(4, 0);
  counters.read(4, 1);
  EXPECT_THROW(counters.read(4, 2), PortConflict);
  counters.read(5, 2);
  counters.write(5, 0, 1);
  EXPECT_THROW(counters.write(5, 1, 1), PortConflict);
  counters.add(5, 3, 1);  // adders have ports of their own
  EXPECT_THROW(counters.add(5, 3, 1), PortConflict);
  counters.add(6, 3, 1);
  EXPECT_EQ(counters.value(3), 2U);
  counters.clear();
  EXPECT_EQ(counters.value(3), 0U);
}

TEST(CounterArray, CountsConflictsWhenNotStrict) {
  Owner owner = strict_hardware();
  owner.strict = false;
  CounterArray counters(owner, "c", {8, 8, Overflow::kWrap, 1, 1, 1, false, 0});
  counters.read(4, 0);
  counters.read(4, 1);
  counters.read(4, 2);
  EXPECT_EQ(counters.activity().port_conflicts, 2U);
  EXPECT_EQ(counters.activity().reads, 3U);
}

TEST(CounterArray, HasNoPortsToRunOutOfInIdealTiming) {
  Owner owner = strict_hardware();
  owner.timing = Timing::kIdeal;
  CounterArray counters(owner, "c", {8, 8, Overflow::kWrap, 1, 1, 1, false, 0});
  for (unsigned i = 0; i < 8; ++i) counters.add(4, i, i);
  EXPECT_EQ(counters.activity().port_conflicts, 0U);
  EXPECT_EQ(counters.activity().adds, 8U);
  EXPECT_EQ(counters.cycles(), 0U);
}

TEST(CounterArray, ClearsOneEntryWhateverThePortsDo) {
  CounterArray counters(strict_hardware(), "c", {4, 8, Overflow::kWrap, 1, 1, 1, true, 0});
  for (unsigned i = 0; i < 4; ++i) counters.add(i, i, 5);
  counters.clear(1);
  counters.clear(2);
  EXPECT_EQ(counters.value(0), 5U);
  EXPECT_EQ(counters.value(1), 0U);
  EXPECT_EQ(counters.value(2), 0U);
  EXPECT_EQ(counters.value(3), 5U);
}

TEST(CounterArray, ClearsOnlyWithAClearLine) {
  CounterArray counters(Owner{}, "c", {8, 8, Overflow::kWrap, 1, 1, 1, false, 0});
  EXPECT_THROW(counters.clear(), std::logic_error);
}

/// Eight 8-bit counters with two adders.
CounterArrayShape two_adders(SameEntry same_entry, unsigned add_cycles = 1) {
  CounterArrayShape shape{8, 8, Overflow::kWrap, 0, 0, 2, true, 6};
  shape.same_entry = same_entry;
  shape.add_cycles = add_cycles;
  return shape;
}

TEST(CounterArray, RefusesTwoAddersAtOneEntryUnlessThatIsPriced) {
  CounterArray counters(strict_hardware(), "c", two_adders(SameEntry::kRefused));
  counters.add(4, 3, 1);
  counters.add(4, 2, 1);
  counters.add(5, 3, 1);
  EXPECT_THROW(counters.add(5, 3, 1), PortConflict);
  Owner owner = strict_hardware();
  owner.strict = false;
  CounterArray counted(owner, "d", two_adders(SameEntry::kRefused));
  counted.add(5, 3, 1);
  counted.add(5, 3, 1);
  EXPECT_EQ(counted.activity().port_conflicts, 1U);
}

TEST(CounterArray, AWriteMeetsAnAdderAtAnEntry) {
  CounterArray counters(strict_hardware(), "c", {8, 8, Overflow::kWrap, 0, 1, 1, true, 6});
  counters.write(4, 3, 1);
  counters.add(4, 2, 1);
  EXPECT_THROW(counters.add(5, 2, 1); counters.write(5, 2, 1), PortConflict);
}

TEST(CounterArray, MergedAndBankedAddersLoseNothing) {
  for (const SameEntry same : {SameEntry::kMerged, SameEntry::kBanked}) {
    CounterArray counters(strict_hardware(), "c", two_adders(same));
    counters.add(4, 3, 20);
    counters.add(4, 3, 30);
    EXPECT_EQ(counters.value(3), 50U);
    EXPECT_EQ(counters.lost(), 0U);
  }
}

TEST(CounterArray, MoreAddersThanEntriesMayMeetAtOne) {
  CounterArrayShape shape;
  shape.entries = 1;
  shape.adders = 3;
  EXPECT_THROW(CounterArray(strict_hardware(), "c", shape), std::invalid_argument);
  shape.same_entry = SameEntry::kMerged;
  CounterArray counters(strict_hardware(), "c", shape);
  for (const unsigned amount : {1, 2, 4}) counters.add(4, 0, amount);
  EXPECT_EQ(counters.value(0), 7U);
  EXPECT_THROW(counters.add(4, 0, 1), PortConflict);
  shape.same_entry = SameEntry::kBanked;
  const Structure banked = CounterArray(strict_hardware(), "c", shape).structure();
  EXPECT_EQ(banked.total_bits(), 3 * banked.declared_bits());
  shape.adders = 65;
  EXPECT_THROW(CounterArray(strict_hardware(), "c", shape), std::invalid_argument);
}

TEST(CounterArray, OfTwoAddersAtOneEntryTheLastMayBeTheOnlyOne) {
  CounterArray counters(strict_hardware(), "c", two_adders(SameEntry::kLost));
  counters.add(3, 3, 1);
  counters.add(4, 3, 20);
  counters.add(4, 3, 30);
  EXPECT_EQ(counters.value(3), 31U);
  EXPECT_EQ(counters.lost(), 1U);
  counters.add(5, 3, 2);
  counters.add(5, 4, 2);
  EXPECT_EQ(counters.value(3), 33U);
  EXPECT_EQ(counters.lost(), 1U);
  Owner owner = strict_hardware();
  owner.timing = Timing::kIdeal;
  CounterArray ideal(owner, "c", two_adders(SameEntry::kLost));
  ideal.add(4, 3, 20);
  ideal.add(4, 3, 30);
  EXPECT_EQ(ideal.value(3), 50U);
}

TEST(CounterArray, MergingAndBanksArePriced) {
  const auto of = [](SameEntry same) { return CounterArray(Owner{}, "c", two_adders(same)).structure(); };
  const Structure refused = of(SameEntry::kRefused);
  const Structure merged = of(SameEntry::kMerged);
  const Structure banked = of(SameEntry::kBanked);
  // An equality comparator of 3 bits, an adder of 6 bits, and a bit more in both of the others.
  EXPECT_NEAR(merged.area.comparators - refused.area.comparators, 9, 1);
  EXPECT_GT(merged.area.adders, refused.area.adders + 6 * 7.2);
  EXPECT_GT(merged.path.fo4(), refused.path.fo4());
  EXPECT_EQ(merged.total_bits(), refused.total_bits());
  EXPECT_EQ(banked.total_bits(), 2 * refused.total_bits());
  EXPECT_EQ(banked.declared_bits(), refused.declared_bits());  // what a paper counts
  EXPECT_DOUBLE_EQ(banked.area.storage, 2 * refused.area.storage);
  EXPECT_DOUBLE_EQ(of(SameEntry::kLost).area.total(), refused.area.total());
}

TEST(CounterArray, ASumOfSeveralCyclesIsThereNotBefore) {
  CounterArray counters(strict_hardware(), "c", two_adders(SameEntry::kMerged, 3));
  EXPECT_EQ(counters.next_landing(), CounterArray::kNever);
  counters.add(10, 3, 20);
  counters.add(10, 3, 1);
  counters.add(11, 3, 30);  // begins before the first is done
  counters.subtract(11, 4, 2);
  EXPECT_EQ(counters.next_landing(), 12U);  // as if it had been added then
  counters.land(11);
  EXPECT_EQ(counters.value(3), 0U);
  counters.land(12);
  EXPECT_EQ(counters.value(3), 21U);
  EXPECT_EQ(counters.value(4), 0U);
  counters.land(13);
  EXPECT_EQ(counters.value(3), 51U);
  EXPECT_EQ(counters.value(4), 254U);
  EXPECT_EQ(counters.next_landing(), CounterArray::kNever);
}

TEST(CounterArray, AClearLineDropsWhatIsUnderWayToItsEntry) {
  CounterArray counters(strict_hardware(), "c", two_adders(SameEntry::kMerged, 3));
  counters.add(10, 3, 20);
  counters.add(10, 4, 20);
  counters.clear(3);
  counters.land(20);
  EXPECT_EQ(counters.value(3), 0U);
  EXPECT_EQ(counters.value(4), 20U);
  counters.add(21, 4, 1);
  counters.clear();
  counters.land(30);
  EXPECT_EQ(counters.value(4), 0U);
}

TEST(CounterArray, AnAdditionOfSeveralCyclesMayBeLost) {
  CounterArray counters(strict_hardware(), "c", two_adders(SameEntry::kLost, 2));
  counters.add(9, 3, 1);
  counters.add(10, 3, 20);
  counters.add(10, 3, 30);
  counters.land(11);
  EXPECT_EQ(counters.value(3), 31U);
  EXPECT_EQ(counters.lost(), 1U);
}

TEST(CounterArray, TheDepthOfTheLogicSetsTheCyclesOfAnAddition) {
  CounterArrayShape shape{48, 32, Overflow::kWrap, 0, 0, 1, true, 6};
  shape.add_cycles = 0;
  const CounterArray deep(strict_hardware(), "c", shape);
  EXPECT_EQ(deep.add_cycles(), 3U);  // 67 FO4, 24 of which fit into a cycle
  const CounterArray ideal(Owner{}, "c", shape);
  EXPECT_EQ(ideal.add_cycles(), 1U);
  shape.add_cycles = 1;
  const CounterArray at_once(strict_hardware(), "c", shape);
  // Two additions under way: address, amount, sum, and whether there is one.
  EXPECT_EQ(deep.structure().hidden_bits, 2U * (6 + 6 + 32 + 1));
  EXPECT_EQ(at_once.structure().hidden_bits, 0U);
  EXPECT_GT(deep.structure().area.read_muxes, at_once.structure().area.read_muxes);
}

TEST(Pipeline, TakesOneInACycleAndIsMadeOfFlipFlopsOnly) {
  Pipeline pipeline(strict_hardware(), "p", {30, 2});
  pipeline.enter(4);
  EXPECT_THROW(pipeline.enter(4), PortConflict);
  pipeline.enter(5);
  EXPECT_EQ(pipeline.cycles(), 2U);
  EXPECT_EQ(pipeline.structure().total_bits(), 60U);
  EXPECT_DOUBLE_EQ(pipeline.structure().area.total(), pipeline.structure().area.storage);
  EXPECT_EQ(Pipeline(Owner{}, "p", {30, 2}).cycles(), 0U);
  EXPECT_THROW(Pipeline(Owner{}, "p", {0, 2}), std::invalid_argument);
}

TEST(FifoQueue, KeepsOrderAcrossItsEnd) {
  FifoQueue queue(strict_hardware(), "q", {3, 4, StorageKind::kFlipFlops});
  Cycle cycle = 0;
  for (unsigned v = 1; v <= 3; ++v) queue.push(cycle++, v);
  EXPECT_TRUE(queue.full());
  EXPECT_THROW(queue.push(cycle, 9), std::logic_error);
  EXPECT_EQ(queue.pop(cycle), 1U);
  queue.push(cycle, 0x14);  // push and pop in one cycle; 4 bits are kept
  EXPECT_EQ(queue.at(2), 4U);
  ++cycle;
  EXPECT_EQ(queue.pop(cycle++), 2U);
  EXPECT_EQ(queue.pop(cycle++), 3U);
  EXPECT_EQ(queue.pop(cycle++), 4U);
  EXPECT_THROW(queue.pop(cycle), std::logic_error);
}

TEST(FifoQueue, TurnsItsFirstIntoItsLastByBothPorts) {
  FifoQueue queue(strict_hardware(), "q", {3, 4, StorageKind::kFlipFlops});
  for (unsigned i = 0; i < 3; ++i) queue.push(i, i + 1);
  for (const unsigned first : {2U, 3U, 1U, 2U}) {
    queue.rotate(10 + queue.activity().reads);
    EXPECT_EQ(queue.at(0), first);
    EXPECT_EQ(queue.size(), 3U);
  }
  EXPECT_EQ(queue.pop(20), 2U);
  queue.rotate(21);
  EXPECT_EQ(queue.at(0), 1U);
  EXPECT_EQ(queue.at(1), 3U);
  EXPECT_THROW(queue.push(21, 1), PortConflict);
  EXPECT_THROW(queue.pop(21), PortConflict);
}

TEST(FifoQueue, PushesAndPopsOnceACycle) {
  FifoQueue queue(strict_hardware(), "q", {4, 4, StorageKind::kFlipFlops});
  queue.push(0, 1);
  EXPECT_THROW(queue.push(0, 2), PortConflict);
  queue.push(1, 2);
  queue.pop(1);
  EXPECT_THROW(queue.pop(1), PortConflict);
}

TEST(Inventory, ListsPartsWhileTheyLive) {
  Inventory inventory;
  Owner owner = strict_hardware();
  owner.inventory = &inventory;
  {
    Register a(owner, "a", {8, Overflow::kWrap, 0});
    Register b(owner.child("inner"), "a", {8, Overflow::kWrap, 0});
    ASSERT_EQ(inventory.parts().size(), 2U);
    EXPECT_EQ(inventory.parts()[1]->owner(), "sm0/block/inner");
    EXPECT_THROW(Register(owner, "a", {8, Overflow::kWrap, 0}), std::invalid_argument);
    EXPECT_THROW(Register(owner, "c", {0, Overflow::kWrap, 0}), std::invalid_argument);
    EXPECT_EQ(inventory.parts().size(), 2U);  // what could not be built is not listed
  }
  EXPECT_TRUE(inventory.parts().empty());
}

TEST(PortConflict, SaysWhoWhenAndWhatWasExpected) {
  Register reg(strict_hardware(), "r", {8, Overflow::kWrap, 0});
  reg.write(7, 1);
  try {
    reg.write(7, 2);
    FAIL();
  } catch (const PortConflict& error) {
    EXPECT_STREQ(
        error.what(),
        "hardware part sm0/block/r: cycle 7: found more uses of the write port, expected at most 1 in "
        "1 cycle");
  }
}

}  // namespace
}  // namespace heddle::hw
