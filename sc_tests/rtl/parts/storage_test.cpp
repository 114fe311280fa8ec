#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "hw/storage/bit_vector.h"
#include "hw/storage/decaying_counters.h"
#include "hw/storage/fifo_queue.h"
#include "hw/storage/pipeline.h"
#include "hw/storage/register.h"
#include "sc_tests/rtl/parts/bench.h"

namespace heddle::test {
namespace {

constexpr unsigned kCycles = 2000;

TEST(Twins, Register) {
  Stimuli stimuli(11);
  struct Case {
    const char* name;
    unsigned in_bits;
    hw::RegisterShape shape;
  };
  for (const Case& size : {Case{"i_register_narrow", 3, {1, hw::Overflow::kWrap, 0}},
                           Case{"i_register_typical", 20, {16, hw::Overflow::kSaturate, 7}},
                           Case{"i_register_wide", 64, {64, hw::Overflow::kWrap, 0}}}) {
    TwinBench bench;
    TwinPort write = bench.port(size.name, "write_i");
    TwinPort data = bench.port(size.name, "data_i");
    const TwinPort value = bench.port(size.name, "value_o");
    ASSERT_EQ(data.bits(), size.in_bits);
    ASSERT_EQ(value.bits(), size.shape.bits);
    hw::Register model(TwinBench::owner(), "register", size.shape);
    for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
      ASSERT_EQ(value.get(), model.value()) << size.name << " cycle " << cycle;
      const std::uint64_t written = stimuli.value(size.in_bits);
      const bool writes = stimuli.once_in(2);
      write.set(writes ? 1 : 0);
      data.set(written);
      if (writes) model.write(cycle, written);
      bench.edge();
    }
  }
}

TEST(Twins, BitVector) {
  Stimuli stimuli(12);
  const std::vector<std::pair<std::string, unsigned>> sizes{{"narrow", 1}, {"typical", 48}, {"wide", 64}};
  for (const auto& [name, bits] : sizes) {
    TwinBench bench;
    TwinPort set = bench.port("i_bit_vector_" + name, "set_i");
    TwinPort clear = bench.port("i_bit_vector_" + name, "clear_i");
    const TwinPort value = bench.port("i_bit_vector_" + name, "value_o");
    ASSERT_EQ(value.bits(), bits);
    hw::BitVector model(TwinBench::owner(), "bits", bits);
    for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
      ASSERT_EQ(value.get(), model.value()) << name << " cycle " << cycle;
      const std::uint64_t sets = stimuli.value(bits);
      const std::uint64_t clears = stimuli.value(bits);
      set.set(sets);
      if (stimuli.once_in(8)) {
        model.load(sets);
        clear.set(hw::low_bits(bits));
      } else {
        model.clear_bits(clears);
        model.set_bits(sets);
        clear.set(clears);
      }
      bench.edge();
    }
  }
}

// The model says when something leaves, and leaves what it is to its owner.
TEST(Twins, Pipeline) {
  Stimuli stimuli(13);
  struct Case {
    const char* name;
    hw::PipelineShape shape;
  };
  for (const Case& size : {Case{"i_pipeline_narrow", {1, 1}}, Case{"i_pipeline_typical", {13, 3}},
                           Case{"i_pipeline_wide", {64, 9}}}) {
    TwinBench bench;
    TwinPort in = bench.port(size.name, "data_i");
    const TwinPort out = bench.port(size.name, "data_o");
    ASSERT_EQ(out.bits(), size.shape.bits);
    hw::Pipeline model(TwinBench::owner(), "pipeline", size.shape);
    std::deque<std::uint64_t> under_way(model.cycles(), 0);
    for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
      model.enter(cycle);
      under_way.push_back(stimuli.value(size.shape.bits));
      in.set(under_way.back());
      ASSERT_EQ(out.get(), under_way.front()) << size.name << " cycle " << cycle;
      under_way.pop_front();
      bench.edge();
    }
  }
}

TEST(Twins, DecayingCounters) {
  Stimuli stimuli(14);
  struct Case {
    const char* name;
    hw::DecayingCountersShape shape;
  };
  for (const Case& size :
       {Case{"i_decaying_counters_narrow", {1, 1, 0}}, Case{"i_decaying_counters_typical", {24, 9, 100}},
        Case{"i_decaying_counters_wide", {48, 40, 0}}}) {
    TwinBench bench;
    const unsigned entries = size.shape.entries;
    const unsigned bits = size.shape.bits;
    const std::uint64_t floor = size.shape.floor;
    TwinPort write = bench.port(size.name, "write_i");
    TwinPort index = bench.port(size.name, "write_index_i");
    TwinPort data = bench.port(size.name, "write_data_i");
    TwinPort reset = bench.port(size.name, "reset_i");
    const TwinPort above = bench.port(size.name, "above_o");
    bool was_above = false;
    unsigned changes = 0;
    const TwinPort values = bench.port(size.name, "values_o");
    ASSERT_EQ(values.bits(), entries * bits);
    hw::DecayingCounters model(TwinBench::owner(), "counters", size.shape);
    for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
      for (unsigned e = 0; e < entries; ++e) {
        ASSERT_EQ(values.get(e * bits, bits), model.value(cycle, e)) << size.name << " cycle " << cycle;
      }
      const std::uint64_t resets = stimuli.once_in(8) ? stimuli.value(entries) : 0;
      reset.set(resets);
      for (unsigned e = 0; e < entries; ++e) {
        if ((resets >> e & 1U) != 0) model.reset(e);
      }
      const bool writes = stimuli.once_in(2);
      const unsigned entry = stimuli.below(entries);
      const std::uint64_t value = stimuli.once_in(2) ? floor + stimuli.below(4) : stimuli.value(bits);
      write.set(writes ? 1 : 0);
      index.set(entry);
      data.set(value);
      if (writes) model.write(cycle, entry, value & hw::low_bits(bits));
      ASSERT_EQ(above.get() != 0, was_above) << size.name << " cycle " << cycle;
      if (model.any_above(cycle) != was_above) ++changes;
      was_above = model.any_above(cycle);
      bench.edge();
    }
    EXPECT_GT(changes, 0U) << size.name;
  }
}

TEST(Twins, FifoQueue) {
  Stimuli stimuli(15);
  struct Case {
    const char* name;
    hw::FifoQueueShape shape;
  };
  for (const Case& size : {Case{"i_fifo_queue_narrow", {1, 1}}, Case{"i_fifo_queue_typical", {6, 17}},
                           Case{"i_fifo_queue_wide", {32, 64}}}) {
    TwinBench bench;
    TwinPort push = bench.port(size.name, "push_i");
    TwinPort data = bench.port(size.name, "data_i");
    TwinPort pop = bench.port(size.name, "pop_i");
    TwinPort clear = bench.port(size.name, "clear_i");
    const TwinPort first = bench.port(size.name, "data_o");
    const TwinPort empty = bench.port(size.name, "empty_o");
    const TwinPort full = bench.port(size.name, "full_o");
    ASSERT_EQ(data.bits(), size.shape.bits);
    hw::FifoQueue model(TwinBench::owner(), "queue", size.shape);
    unsigned eagerness = 2;  // pushes fill the queue, or pops empty it
    for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
      ASSERT_EQ(empty.get() != 0, model.empty()) << size.name << " cycle " << cycle;
      ASSERT_EQ(full.get() != 0, model.full()) << size.name << " cycle " << cycle;
      if (!model.empty()) ASSERT_EQ(first.get(), model.at(0)) << size.name << " cycle " << cycle;
      if (cycle % 100 == 0) eagerness = 1 + stimuli.below(4);
      const bool pops = !model.empty() && stimuli.once_in(eagerness);
      if (pops) model.pop(cycle);
      const bool clears = stimuli.once_in(50);
      if (clears) model.clear();
      const bool pushes = !model.full() && stimuli.once_in(5 - eagerness);
      const std::uint64_t value = stimuli.value(size.shape.bits);
      if (pushes) model.push(cycle, value);
      pop.set(pops ? 1 : 0);
      clear.set(clears ? 1 : 0);
      push.set(pushes ? 1 : 0);
      data.set(value);
      bench.edge();
    }
  }
}

}  // namespace
}  // namespace heddle::test
