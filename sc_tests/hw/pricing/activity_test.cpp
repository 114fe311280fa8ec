// What each part counts of its use, which is what its energy follows from.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "hw/logic/population_count.h"
#include "hw/order/age_order.h"
#include "hw/order/group_sorter.h"
#include "hw/order/in_place_sorter.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/counter_array.h"
#include "hw/storage/decaying_counters.h"
#include "hw/storage/fifo_queue.h"
#include "hw/storage/register.h"
#include "hw/storage/table.h"

namespace heddle::hw {
namespace {

TEST(Activity, AnAgeOrderWritesForEveryMemberThatComesOrGoesAndReadsForARank) {
  AgeOrderShape shape;
  shape.rank_ports = 1;
  AgeOrder ages(Owner{}, "a", shape);
  for (const unsigned index : {5U, 3U, 8U}) ages.append(0, index);
  ages.remove(3);
  ages.remove(3);  // not there
  EXPECT_EQ(ages.activity().writes, 4U);
  EXPECT_EQ(ages.activity().reads, 0U);
  EXPECT_EQ(ages.rank(1, 8), 1U);
  EXPECT_EQ(ages.activity().reads, 1U);
}

TEST(Activity, AnAgeOrderRearrangedIsAsIfEntriesHadComeAndGoneOneByOne) {
  AgeOrder one_by_one(Owner{}, "o", AgeOrderShape{});
  AgeOrder at_once(Owner{}, "a", AgeOrderShape{});
  for (AgeOrder* order : {&one_by_one, &at_once}) {
    for (const unsigned index : {5U, 3U, 8U}) order->append(0, index);
  }
  one_by_one.remove(one_by_one.oldest(1, ~std::uint64_t{0}));
  one_by_one.append(1, 9);
  const std::array<std::uint8_t, 3> entries{3, 8, 9};
  at_once.rearrange(entries.data(), 3, 2, 1);
  EXPECT_EQ(at_once.present(), one_by_one.present());
  for (unsigned place = 0; place < 3; ++place) EXPECT_EQ(at_once.at(place), one_by_one.at(place));
  EXPECT_EQ(at_once.activity().writes, one_by_one.activity().writes);
  EXPECT_EQ(at_once.activity().selects, one_by_one.activity().selects);
  Owner hardware;
  hardware.timing = Timing::kHardware;
  AgeOrder in_hardware(hardware, "h", AgeOrderShape{});
  EXPECT_THROW(in_hardware.rearrange(entries.data(), 3, 2, 1), std::logic_error);
}

/// What exchange() and rotate() come to one by one.
void exchange_one_by_one(AgeOrder& active, AgeOrder& queue, std::uint64_t leave, unsigned capacity) {
  std::vector<unsigned> leaving;
  for (unsigned i = 0; i < active.size(); ++i) {
    if ((leave >> active.at(i) & 1U) != 0) leaving.push_back(active.at(i));
  }
  for (const unsigned entry : leaving) {
    active.remove(entry);
    queue.append(1, entry);
  }
  while (active.size() < capacity && queue.size() != 0) {
    const unsigned entry = queue.oldest(1, queue.present());
    queue.remove(entry);
    active.append(1, entry);
  }
}

void expect_alike(const AgeOrder& a, const AgeOrder& b) {
  EXPECT_EQ(a.present(), b.present());
  ASSERT_EQ(a.size(), b.size());
  for (unsigned place = 0; place < a.size(); ++place) EXPECT_EQ(a.at(place), b.at(place));
  EXPECT_EQ(a.activity().writes, b.activity().writes);
  EXPECT_EQ(a.activity().selects, b.activity().selects);
}

TEST(Activity, TwoAgeOrdersExchangeAsIfEntriesMovedOneByOne) {
  constexpr unsigned kCapacity = 4;
  AgeOrder active(Owner{}, "a", AgeOrderShape{});
  AgeOrder queue(Owner{}, "q", AgeOrderShape{});
  AgeOrder active_expected(Owner{}, "ae", AgeOrderShape{});
  AgeOrder queue_expected(Owner{}, "qe", AgeOrderShape{});
  for (AgeOrder* order : {&active, &active_expected}) {
    for (const unsigned entry : {7U, 2U, 9U}) order->append(0, entry);
  }
  for (AgeOrder* order : {&queue, &queue_expected}) {
    for (const unsigned entry : {4U, 1U, 30U}) order->append(0, entry);
  }
  const std::uint64_t all = ~std::uint64_t{0};
  for (const std::uint64_t leave :
       {std::uint64_t{1} << 2U, all, std::uint64_t{0}, all & ~(std::uint64_t{1} << 30U), all}) {
    const std::uint64_t before = active.present();
    const bool moves = active.exchange(queue, leave, kCapacity);
    exchange_one_by_one(active_expected, queue_expected, leave, kCapacity);
    expect_alike(active, active_expected);
    expect_alike(queue, queue_expected);
    EXPECT_EQ(moves, (leave & before) != 0) << leave;
  }
  active.rotate(3);
  for (unsigned i = 0; i < 3; ++i) active_expected.append(2, active_expected.at(0));
  expect_alike(active, active_expected);
  Owner hardware;
  hardware.timing = Timing::kHardware;
  AgeOrder in_hardware(hardware, "h", AgeOrderShape{});
  EXPECT_THROW(in_hardware.exchange(queue, all, kCapacity), std::logic_error);
  EXPECT_THROW(in_hardware.rotate(0), std::logic_error);
}

TEST(Activity, SettingClearingAndLoadingBitsIsAWriteEach) {
  BitVector bits(Owner{}, "b", 8);
  bits.set_bits(0x0f);
  bits.clear_bits(0x03);
  bits.load(0x80);
  EXPECT_EQ(bits.activity().writes, 3U);
}

TEST(Activity, ClearingCountersIsOneWriteForOneAsForAll) {
  CounterArrayShape shape;
  shape.clear = true;
  CounterArray counters(Owner{}, "c", shape);
  counters.clear();
  EXPECT_EQ(counters.activity().writes, 1U);
  counters.clear(3);
  EXPECT_EQ(counters.activity().writes, 2U);
}

TEST(Activity, DecayIsNoWrite) {
  DecayingCounters scores(Owner{}, "s", DecayingCountersShape{});
  scores.write(1, 0, 5);
  EXPECT_EQ(scores.value(4, 0), 2U);
  EXPECT_EQ(scores.activity().writes, 1U);
  scores.reset(1);
  EXPECT_EQ(scores.activity().writes, 2U);
}

TEST(Activity, AQueueWritesWhatIsPushedReadsWhatIsPoppedAndWritesOnceToBeEmpty) {
  FifoQueue queue(Owner{}, "q", FifoQueueShape{});
  for (const Cycle cycle : {1U, 2U, 3U}) queue.push(cycle, 7);
  queue.pop(4);
  EXPECT_EQ(queue.activity().writes, 3U);
  EXPECT_EQ(queue.activity().reads, 1U);
  queue.clear();
  EXPECT_EQ(queue.activity().writes, 4U);
}

TEST(Activity, MembersOfASorterThatComeAndGoAreWrites) {
  InPlaceSorter sorter(Owner{}, "s", InPlaceSorterShape{});
  sorter.append(0, 4);
  sorter.append(1, 2);
  EXPECT_EQ(sorter.activity().writes, 2U);
  sorter.append(2, 2);  // is there
  sorter.remove(3, 4);
  EXPECT_EQ(sorter.activity().writes, 3U);
  sorter.clear(4);
  EXPECT_EQ(sorter.activity().writes, 4U);
}

TEST(Activity, MembersOfAGroupThatComeAndGoAreWrites) {
  struct Rule : SortRule {
    bool swap_needed(unsigned /*group*/, unsigned /*first*/, unsigned /*second*/) const override {
      return false;
    }
  } rule;
  GroupSorter sorter(Owner{}, "g", GroupSorterShape{}, rule);
  sorter.append(0, 1, 4);
  sorter.append(1, 2, 6);
  sorter.remove(2, 1, 4);
  EXPECT_EQ(sorter.activity().writes, 3U);
}

TEST(Activity, ACountOfBitsIsOneAddition) {
  PopulationCount count(Owner{}, "p", 32);
  count.count(0xff);
  count.count(0);
  EXPECT_EQ(count.activity().adds, 2U);
}

TEST(Activity, ARegisterIsWrittenWhenItIsWrittenTheSameValue) {
  Register reg(Owner{}, "r", {4, Overflow::kWrap, 7});
  reg.write(0, 7);
  reg.write(1, 7);
  EXPECT_EQ(reg.activity().writes, 2U);
  EXPECT_EQ(reg.activity().overflows, 0U);
}

TEST(Activity, ALineOfATableIsReadAndWrittenOnceACycleHoweverManyOfItsFields) {
  Table table(Owner{}, "t", TableShape::cam(4, 8, {{"count", 8}, {"flags", 8}}));
  table.lookup(0, 0, 9);
  EXPECT_EQ(table.activity().reads, 1U);
  EXPECT_EQ(table.activity().compares, 4U);
  const unsigned line = table.insert(1, 0, 9);
  table.write(1, line, 0, 3);
  EXPECT_EQ(table.activity().writes, 1U);
  table.write(2, line, 0, 4);
  table.write(2, line, 1, 4);
  EXPECT_EQ(table.activity().writes, 2U);
  table.read(3, line, 0);
  table.read(3, line, 1);
  EXPECT_EQ(table.activity().reads, 2U);
  table.read(4, line, 0);
  EXPECT_EQ(table.activity().reads, 3U);
  table.invalidate(line);
  EXPECT_EQ(table.activity().writes, 3U);
  table.clear();
  EXPECT_EQ(table.activity().writes, 4U);
}

}  // namespace
}  // namespace heddle::hw
