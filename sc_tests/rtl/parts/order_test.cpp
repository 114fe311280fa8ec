#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "hw/order/age_order.h"
#include "hw/order/in_place_sorter.h"
#include "hw/pricing/bits.h"
#include "sc_tests/rtl/parts/bench.h"

namespace heddle::test {
namespace {

TEST(Twins, AgeList) {
  Stimuli stimuli(41);
  const std::vector<std::array<unsigned, 2>> sizes{{1, 1}, {12, 2}, {16, 1}};
  const std::array<const char*, 3> names{"i_age_list_narrow", "i_age_list_typical", "i_age_list_wide"};
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    TwinBench bench;
    const auto [entries, ports] = sizes[s];
    const unsigned width = hw::index_bits(entries);
    TwinPort append = bench.port(names[s], "append_i");
    TwinPort append_index = bench.port(names[s], "append_index_i");
    TwinPort remove = bench.port(names[s], "remove_i");
    TwinPort remove_index = bench.port(names[s], "remove_index_i");
    TwinPort clear = bench.port(names[s], "clear_i");
    TwinPort request = bench.port(names[s], "request_i");
    const TwinPort valid = bench.port(names[s], "valid_o");
    const TwinPort index = bench.port(names[s], "index_o");
    const TwinPort present = bench.port(names[s], "present_o");
    const TwinPort order = bench.port(names[s], "order_o");
    const TwinPort filled = bench.port(names[s], "filled_o");
    ASSERT_EQ(request.bits(), entries * ports);
    hw::AgeOrderShape shape;
    shape.entries = entries;
    shape.form = hw::AgeForm::kList;
    shape.select_ports = ports;
    shape.clear = true;
    hw::AgeOrder model(TwinBench::owner(), "ages", shape);
    for (unsigned cycle = 0; cycle < 1500; ++cycle) {
      std::vector<std::uint64_t> requests;
      for (unsigned port = 0; port < ports; ++port) {
        requests.push_back(stimuli.value(entries));
        request.set(port * entries, entries, requests.back());
      }
      const unsigned comes = stimuli.below(entries);
      const unsigned leaves = stimuli.below(entries);
      const bool appends = stimuli.once_in(2);
      const bool again = appends && (model.present() >> comes & 1U) != 0;
      const bool removes = stimuli.once_in(2) && (!again || leaves == comes);
      append.set(appends ? 1 : 0);
      append_index.set(comes);
      remove.set(removes ? 1 : 0);
      remove_index.set(leaves);
      const bool clears = stimuli.once_in(40);
      clear.set(clears ? 1 : 0);
      bench.settle();

      ASSERT_EQ(present.get(), model.present()) << names[s] << " cycle " << cycle;
      ASSERT_EQ(filled.get(), hw::low_bits(model.size())) << names[s] << " cycle " << cycle;
      for (unsigned place = 0; place < model.size(); ++place) {
        ASSERT_EQ(order.get(place * width, width), model.at(place)) << names[s] << " cycle " << cycle;
      }
      for (unsigned port = 0; port < ports; ++port) {
        const unsigned oldest = model.oldest(cycle, requests[port]);
        ASSERT_EQ(valid.get(port, 1) != 0, oldest != hw::kNoInput) << names[s] << " cycle " << cycle;
        ASSERT_EQ(index.get(port * width, width), oldest == hw::kNoInput ? 0 : oldest)
            << names[s] << " cycle " << cycle;
      }
      if (removes) model.remove(leaves);
      if (appends) model.append(cycle, comes);
      if (clears) model.clear();
      bench.edge();
    }
  }
}

/// Members come and go, keys change and sorts start while others are under way; the twin's keys are those
/// after the cycle, which the model's next comparison sees.
void compare_sorters(const std::string& instance, const hw::InPlaceSorterShape& shape, unsigned cycles) {
  TwinBench bench;
  Stimuli stimuli(42);
  TwinPort clear = bench.port(instance, "clear_i");
  TwinPort remove = bench.port(instance, "remove_i");
  TwinPort remove_index = bench.port(instance, "remove_index_i");
  TwinPort append = bench.port(instance, "append_i");
  TwinPort append_index = bench.port(instance, "append_index_i");
  TwinPort start = bench.port(instance, "start_i");
  TwinPort descending = bench.port(instance, "descending_i");
  TwinPort keys = bench.port(instance, "keys_i");
  const TwinPort busy = bench.port(instance, "busy_o");
  const TwinPort order = bench.port(instance, "order_o");
  const TwinPort size = bench.port(instance, "size_o");
  const unsigned width = hw::index_bits(shape.entries);
  ASSERT_EQ(keys.bits(), shape.entries * shape.key_bits);
  ASSERT_EQ(order.bits(), shape.entries * width);
  ASSERT_EQ(remove.bits(), shape.removals);

  hw::InPlaceSorter model(TwinBench::owner(), "sorter", shape);
  std::array<std::uint64_t, 64> held{};
  unsigned sorts = 0;
  unsigned calm = 0;  // cycles without any change
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    model.advance(cycle);
    ASSERT_EQ(size.get(), model.size()) << instance << " cycle " << cycle;
    ASSERT_EQ(busy.get() != 0, model.busy()) << instance << " cycle " << cycle;
    for (unsigned place = 0; place < model.size(); ++place) {
      ASSERT_EQ(order.get(place * width, width), model.order()[place]) << instance << " cycle " << cycle;
    }

    for (TwinPort* port : {&clear, &remove, &append, &start}) port->clear();
    if (calm == 0 && stimuli.once_in(6)) calm = 2 * shape.entries * shape.entries / shape.comparators + 4;
    const bool changes = calm == 0;
    if (calm > 0) --calm;
    if (changes && stimuli.once_in(3)) {
      const unsigned changed = stimuli.below(shape.entries);
      held[changed] = stimuli.once_in(4) ? held[stimuli.below(shape.entries)] : stimuli.value(shape.key_bits);
      keys.set(changed * shape.key_bits, shape.key_bits, held[changed]);
    }
    if (changes && shape.dynamic && stimuli.once_in(100)) {
      clear.set(1);
      model.clear(cycle);
    }
    for (unsigned r = 0; changes && shape.dynamic && r < shape.removals; ++r) {
      const unsigned member = stimuli.below(shape.entries);
      if ((model.members() >> member & 1U) == 0 || !stimuli.once_in(3)) continue;
      remove.set(r, 1, 1);
      remove_index.set(r * width, width, member);
      model.remove(cycle, member);
    }
    const unsigned member = stimuli.below(shape.entries);
    if (changes && shape.dynamic && (model.members() >> member & 1U) == 0) {
      append.set(1);
      append_index.set(member);
      model.append(cycle, member);
    }
    if (changes ? stimuli.once_in(10) : !model.busy()) {
      const bool down = stimuli.once_in(2);
      start.set(1);
      descending.set(down ? 1 : 0);
      model.start(cycle, held.data(), down ? hw::SortDirection::kDescending : hw::SortDirection::kAscending);
      ++sorts;
    }
    bench.edge();
  }
  EXPECT_GT(sorts, 10U);
}

hw::InPlaceSorterShape sorter_of(unsigned entries, unsigned key_bits, unsigned comparators, unsigned cycles) {
  hw::InPlaceSorterShape shape;
  shape.entries = entries;
  shape.key_bits = key_bits;
  shape.comparators = comparators;
  shape.cycles_per_compare = cycles;
  return shape;
}

TEST(InPlaceSorterTwin, OneEntry) {
  compare_sorters("i_in_place_sorter_narrow", sorter_of(1, 1, 1, 1), 1000);
}

TEST(InPlaceSorterTwin, SeveralComparatorsAndRemovals) {
  hw::InPlaceSorterShape shape = sorter_of(12, 5, 3, 1);
  shape.removals = 2;
  compare_sorters("i_in_place_sorter_typical", shape, 6000);
}

TEST(InPlaceSorterTwin, CyclesPerCompareAndTheWorkingOrder) {
  hw::InPlaceSorterShape shape = sorter_of(9, 7, 1, 3);
  shape.buffered = false;
  compare_sorters("i_in_place_sorter_slow", shape, 12000);
}

TEST(InPlaceSorterTwin, LatchedKeys) {
  hw::InPlaceSorterShape shape = sorter_of(10, 6, 2, 2);
  shape.keys = hw::SortKeys::kLatched;
  compare_sorters("i_in_place_sorter_latched", shape, 8000);
}

TEST(InPlaceSorterTwin, ManyFixedMembers) {
  hw::InPlaceSorterShape shape = sorter_of(16, 64, 8, 1);
  shape.dynamic = false;
  compare_sorters("i_in_place_sorter_wide", shape, 1500);
}

}  // namespace
}  // namespace heddle::test
