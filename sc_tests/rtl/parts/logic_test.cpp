#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/logic/minimum_tree.h"
#include "hw/logic/multiplexer.h"
#include "hw/logic/population_count.h"
#include "hw/logic/priority_selector.h"
#include "hw/logic/ratio_unit.h"
#include "hw/logic/request_groups.h"
#include "sc_tests/rtl/parts/bench.h"

namespace heddle::test {
namespace {

constexpr unsigned kTrials = 2000;

std::uint64_t line(unsigned index) { return index == hw::kNoInput ? 0 : std::uint64_t{1} << index; }

struct AdderCase {
  const char* name;
  unsigned bits;
  unsigned amount_bits;
  hw::Overflow overflow;
};

TEST(Twins, Adder) {
  Stimuli stimuli(1);
  for (const AdderCase& size : {AdderCase{"i_adder_narrow", 1, 1, hw::Overflow::kWrap},
                                {"i_adder_typical", 13, 6, hw::Overflow::kWrap},
                                {"i_adder_saturating", 16, 16, hw::Overflow::kSaturate},
                                {"i_adder_wide", 64, 64, hw::Overflow::kSaturate}}) {
    TwinBench bench;
    TwinPort a = bench.port(size.name, "a_i");
    TwinPort amount = bench.port(size.name, "amount_i");
    TwinPort subtract = bench.port(size.name, "subtract_i");
    const TwinPort sum = bench.port(size.name, "sum_o");
    const TwinPort overflow = bench.port(size.name, "overflow_o");
    ASSERT_EQ(a.bits(), size.bits);
    ASSERT_EQ(amount.bits(), size.amount_bits);
    hw::AdderShape shape;
    shape.bits = size.bits;
    shape.overflow = size.overflow;
    shape.amount_bits = size.amount_bits;
    shape.cycles = 1;
    hw::Adder model(TwinBench::owner(), "adder", shape);
    for (unsigned trial = 0; trial < kTrials; ++trial) {
      const std::uint64_t x = stimuli.value(size.bits);
      const std::uint64_t y = stimuli.value(size.amount_bits);
      const bool down = stimuli.once_in(2);
      a.set(x);
      amount.set(y);
      subtract.set(down ? 1 : 0);
      bench.settle();
      const std::uint64_t overflows = model.activity().overflows;
      ASSERT_EQ(sum.get(), down ? model.subtract(trial, x, y) : model.add(trial, x, y))
          << size.name << ' ' << x << ' ' << y;
      ASSERT_EQ(overflow.get(), model.activity().overflows - overflows);
    }
  }
}

TEST(Twins, Comparator) {
  Stimuli stimuli(2);
  const std::vector<std::pair<std::string, unsigned>> sizes{
      {"narrow", 1}, {"typical", 21}, {"wide", 64}, {"equality", 9}};
  for (const auto& [name, bits] : sizes) {
    TwinBench bench;
    TwinPort a = bench.port("i_comparator_" + name, "a_i");
    TwinPort b = bench.port("i_comparator_" + name, "b_i");
    const TwinPort less = bench.port("i_comparator_" + name, "less_o");
    const TwinPort equal = bench.port("i_comparator_" + name, "equal_o");
    ASSERT_EQ(a.bits(), bits);
    hw::ComparatorShape shape;
    shape.bits = bits;
    shape.cycles = 1;
    shape.equality = name == "equality";
    shape.count = 2;
    hw::Comparator model(TwinBench::owner(), "comparator", shape);
    for (unsigned trial = 0; trial < kTrials; ++trial) {
      const std::uint64_t x = stimuli.value(bits);
      const std::uint64_t y = stimuli.once_in(4) ? x : stimuli.value(bits);
      a.set(x);
      b.set(y);
      bench.settle();
      ASSERT_EQ(equal.get() != 0, model.equal(trial, x, y)) << name << ' ' << x << ' ' << y;
      ASSERT_EQ(less.get() != 0, !shape.equality && model.less(trial, x, y)) << name << ' ' << x << ' ' << y;
    }
  }
}

TEST(Twins, PopulationCount) {
  Stimuli stimuli(3);
  const std::vector<std::pair<std::string, unsigned>> sizes{{"narrow", 1}, {"typical", 24}, {"wide", 64}};
  for (const auto& [name, inputs] : sizes) {
    TwinBench bench;
    TwinPort bits = bench.port("i_population_count_" + name, "bits_i");
    const TwinPort count = bench.port("i_population_count_" + name, "count_o");
    ASSERT_EQ(bits.bits(), inputs);
    ASSERT_EQ(count.bits(), hw::index_bits(inputs + 1));
    hw::PopulationCount model(TwinBench::owner(), "count", inputs);
    for (unsigned trial = 0; trial < kTrials; ++trial) {
      const std::uint64_t x = stimuli.value(inputs);
      bits.set(x);
      bench.settle();
      ASSERT_EQ(count.get(), model.count(x)) << name << ' ' << x;
    }
  }
}

// The model leaves what is read to its owner.
TEST(Twins, Multiplexer) {
  Stimuli stimuli(4);
  const std::vector<std::array<unsigned, 2>> sizes{{1, 1}, {24, 13}, {64, 64}};
  const std::array<const char*, 3> names{"i_multiplexer_narrow", "i_multiplexer_typical",
                                         "i_multiplexer_wide"};
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    TwinBench bench;
    const auto [inputs, width] = sizes[s];
    TwinPort data = bench.port(names[s], "data_i");
    TwinPort index = bench.port(names[s], "index_i");
    const TwinPort read = bench.port(names[s], "data_o");
    ASSERT_EQ(data.bits(), inputs * width);
    ASSERT_EQ(index.bits(), hw::index_bits(inputs));
    std::vector<std::uint64_t> values(1U << index.bits(), 0);  // beyond the inputs: 0
    for (unsigned trial = 0; trial < kTrials; ++trial) {
      const unsigned changed = stimuli.below(inputs);
      values[changed] = stimuli.value(width);
      data.set(changed * width, width, values[changed]);
      const unsigned asked = stimuli.below(1U << index.bits());
      index.set(asked);
      bench.settle();
      ASSERT_EQ(read.get(), values[asked]) << names[s] << ' ' << asked;
    }
  }
}

TEST(Twins, RequestGroups) {
  Stimuli stimuli(5);
  const std::vector<std::array<unsigned, 2>> sizes{{1, 1}, {8, 24}, {64, 64}};
  const std::array<const char*, 3> names{"i_request_groups_narrow", "i_request_groups_typical",
                                         "i_request_groups_wide"};
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    TwinBench bench;
    const auto [groups, inputs] = sizes[s];
    TwinPort request = bench.port(names[s], "request_i");
    TwinPort member = bench.port(names[s], "member_i");
    const TwinPort group = bench.port(names[s], "group_o");
    ASSERT_EQ(member.bits(), groups * inputs);
    hw::RequestGroups model(TwinBench::owner(), "groups", {groups, inputs, false});
    std::vector<std::uint64_t> members(groups, 0);
    for (unsigned trial = 0; trial < kTrials / 2; ++trial) {
      for (unsigned g = 0; g < groups; ++g) {
        members[g] = stimuli.value(inputs);
        member.set(g * inputs, inputs, members[g]);
      }
      const std::uint64_t requests = stimuli.value(inputs);
      request.set(requests);
      bench.settle();
      ASSERT_EQ(group.get(), model.with_any(requests, [&](unsigned g) { return members[g]; })) << names[s];
    }
  }
}

/// Who of `passable` comes before the selected one, when inputs are asked in this order.
std::uint64_t passed_over(const std::vector<unsigned>& asked, unsigned selected, std::uint64_t passable) {
  std::uint64_t passed = 0;
  for (const unsigned input : asked) {
    if (input == selected) break;
    passed |= passable & line(input);
  }
  return passed;
}

TEST(Twins, FixedSelector) {
  Stimuli stimuli(6);
  const std::vector<std::pair<std::string, unsigned>> sizes{{"narrow", 1}, {"typical", 24}, {"wide", 64}};
  for (const auto& [name, inputs] : sizes) {
    TwinBench bench;
    TwinPort request = bench.port("i_fixed_selector_" + name, "request_i");
    TwinPort passable = bench.port("i_fixed_selector_" + name, "passable_i");
    const TwinPort select = bench.port("i_fixed_selector_" + name, "select_o");
    const TwinPort passed = bench.port("i_fixed_selector_" + name, "passed_o");
    ASSERT_EQ(request.bits(), inputs);
    hw::PrioritySelector model(TwinBench::owner(), "selector", inputs, hw::SelectorForm::kFixed, inputs);
    std::vector<unsigned> asked(inputs);
    std::iota(asked.begin(), asked.end(), 0U);
    for (unsigned trial = 0; trial < kTrials; ++trial) {
      const std::uint64_t requests = stimuli.value(inputs);
      const std::uint64_t stale = stimuli.value(inputs) & ~requests;
      request.set(requests);
      passable.set(stale);
      bench.settle();
      const unsigned selected = model.select(requests);
      ASSERT_EQ(select.get(), line(selected)) << name << ' ' << requests;
      ASSERT_EQ(passed.get(), passed_over(asked, selected, stale)) << name << ' ' << requests;
    }
  }
}

TEST(Twins, RotatingSelector) {
  Stimuli stimuli(7);
  const std::vector<std::pair<std::string, unsigned>> sizes{{"narrow", 1}, {"typical", 24}, {"wide", 64}};
  for (const auto& [name, inputs] : sizes) {
    TwinBench bench;
    TwinPort request = bench.port("i_rotating_selector_" + name, "request_i");
    TwinPort passable = bench.port("i_rotating_selector_" + name, "passable_i");
    TwinPort start = bench.port("i_rotating_selector_" + name, "start_i");
    const TwinPort select = bench.port("i_rotating_selector_" + name, "select_o");
    const TwinPort passed = bench.port("i_rotating_selector_" + name, "passed_o");
    ASSERT_EQ(request.bits(), inputs);
    ASSERT_EQ(start.bits(), hw::index_bits(inputs));
    hw::PrioritySelector model(TwinBench::owner(), "selector", inputs, hw::SelectorForm::kRotating, inputs);
    std::vector<unsigned> asked(inputs);
    for (unsigned trial = 0; trial < kTrials; ++trial) {
      const std::uint64_t requests = stimuli.value(inputs);
      const std::uint64_t stale = stimuli.value(inputs) & ~requests;
      const unsigned from = stimuli.below(inputs);
      for (unsigned i = 0; i < inputs; ++i) asked[i] = (from + i) % inputs;
      request.set(requests);
      passable.set(stale);
      start.set(from);
      bench.settle();
      const unsigned selected = model.select_from(requests, from);
      ASSERT_EQ(select.get(), line(selected)) << name << ' ' << requests << ' ' << from;
      ASSERT_EQ(passed.get(), passed_over(asked, selected, stale)) << name << ' ' << requests << ' ' << from;
    }
  }
}

TEST(Twins, OrderedSelector) {
  Stimuli stimuli(8);
  std::mt19937 shuffler(8);
  const std::vector<std::pair<std::string, unsigned>> sizes{{"narrow", 1}, {"typical", 24}, {"wide", 64}};
  for (const auto& [name, inputs] : sizes) {
    TwinBench bench;
    const std::string instance = "i_ordered_selector_" + name;
    TwinPort request = bench.port(instance, "request_i");
    TwinPort passable = bench.port(instance, "passable_i");
    TwinPort order = bench.port(instance, "order_i");
    TwinPort size = bench.port(instance, "size_i");
    const TwinPort valid = bench.port(instance, "valid_o");
    const TwinPort index = bench.port(instance, "index_o");
    const TwinPort select = bench.port(instance, "select_o");
    const TwinPort passed = bench.port(instance, "passed_o");
    const unsigned width = hw::index_bits(inputs);
    ASSERT_EQ(order.bits(), inputs * width);
    hw::PrioritySelector model(TwinBench::owner(), "selector", inputs, hw::SelectorForm::kOrdered, inputs);
    std::vector<std::uint8_t> places(inputs);
    std::iota(places.begin(), places.end(), std::uint8_t{0});
    for (unsigned trial = 0; trial < kTrials / 4; ++trial) {
      std::shuffle(places.begin(), places.end(), shuffler);
      const unsigned filled = stimuli.once_in(2) ? inputs : stimuli.below(inputs + 1);
      const std::uint64_t requests = stimuli.value(inputs);
      const std::uint64_t stale = stimuli.value(inputs) & ~requests;
      for (unsigned p = 0; p < inputs; ++p) order.set(p * width, width, places[p]);
      size.set(filled);
      request.set(requests);
      passable.set(stale);
      bench.settle();
      const unsigned selected = model.select_in_order(requests, places.data(), filled);
      ASSERT_EQ(valid.get() != 0, selected != hw::kNoInput) << name;
      ASSERT_EQ(index.get(), selected == hw::kNoInput ? 0 : selected) << name;
      ASSERT_EQ(select.get(), line(selected)) << name;
      const std::vector<unsigned> asked(places.begin(), places.begin() + filled);
      ASSERT_EQ(passed.get(), passed_over(asked, selected, stale)) << name;
    }
  }
}

TEST(Twins, MinimumTree) {
  Stimuli stimuli(9);
  const std::vector<std::array<unsigned, 2>> sizes{{1, 1}, {20, 24}, {64, 64}};
  const std::array<const char*, 3> names{"i_minimum_tree_narrow", "i_minimum_tree_typical",
                                         "i_minimum_tree_wide"};
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    TwinBench bench;
    const auto [inputs, width] = sizes[s];
    TwinPort valid = bench.port(names[s], "valid_i");
    TwinPort keys = bench.port(names[s], "keys_i");
    const TwinPort found = bench.port(names[s], "valid_o");
    const TwinPort index = bench.port(names[s], "index_o");
    const TwinPort key = bench.port(names[s], "key_o");
    ASSERT_EQ(keys.bits(), inputs * width);
    hw::MinimumTree model(TwinBench::owner(), "tree", {inputs, width, 1});
    std::vector<std::uint64_t> held(inputs, 0);
    for (unsigned trial = 0; trial < kTrials; ++trial) {
      const unsigned changed = stimuli.below(inputs);
      held[changed] = stimuli.once_in(3) ? held[stimuli.below(inputs)] : stimuli.value(width);
      keys.set(changed * width, width, held[changed]);
      const std::uint64_t there = stimuli.value(inputs);
      valid.set(there);
      bench.settle();
      const unsigned least = model.least(trial, there, held.data());
      ASSERT_EQ(found.get() != 0, least != hw::kNoInput) << names[s];
      ASSERT_EQ(index.get(), least == hw::kNoInput ? 0 : least) << names[s];
      ASSERT_EQ(key.get(), least == hw::kNoInput ? 0 : held[least]) << names[s];
    }
  }
}

TEST(Twins, RatioUnit) {
  Stimuli stimuli(10);
  struct Case {
    const char* name;
    hw::RatioUnitShape shape;
  };
  for (const Case& size :
       {Case{"i_ratio_unit_narrow", {1, 1, 1, 3, 1}}, Case{"i_ratio_unit_typical", {12, 7, 9, 8, 3}},
        Case{"i_ratio_unit_wide", {32, 32, 32, 64, 1}}}) {
    TwinBench bench;
    TwinPort start = bench.port(size.name, "start_i");
    TwinPort factor = bench.port(size.name, "factor_i");
    TwinPort multiplier = bench.port(size.name, "multiplier_i");
    TwinPort divisor = bench.port(size.name, "divisor_i");
    const TwinPort ready = bench.port(size.name, "ready_o");
    const TwinPort result = bench.port(size.name, "result_o");
    ASSERT_EQ(result.bits(), size.shape.result_bits);
    hw::RatioUnit model(TwinBench::owner(), "ratio", size.shape);
    std::uint64_t expected = 0;
    std::uint64_t done_at = 0;
    for (std::uint64_t cycle = 0; cycle < 200U * model.cycles(); ++cycle) {
      ASSERT_EQ(ready.get() != 0, cycle >= done_at) << size.name << " cycle " << cycle;
      if (done_at != 0 && cycle >= done_at)
        ASSERT_EQ(result.get(), expected) << size.name << " cycle " << cycle;
      const bool starts = cycle >= done_at && stimuli.once_in(2);
      const std::uint64_t a = stimuli.value(size.shape.factor_bits);
      const std::uint64_t b = stimuli.value(size.shape.multiplier_bits);
      const std::uint64_t c = stimuli.value(size.shape.divisor_bits);
      start.set(starts ? 1 : 0);
      factor.set(a);
      multiplier.set(b);
      divisor.set(c);
      if (starts) {
        expected = model.multiply_divide(cycle, a, b, c);
        done_at = cycle + model.cycles();
      }
      bench.edge();
    }
  }
}

}  // namespace
}  // namespace heddle::test
