#include "hw/storage/counter_array.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "sc_tests/rtl/parts/bench.h"

namespace heddle::test {
namespace {

hw::CounterArrayShape shape_of(unsigned entries, unsigned bits, unsigned amount_bits, unsigned adders) {
  hw::CounterArrayShape shape;
  shape.entries = entries;
  shape.bits = bits;
  shape.amount_bits = amount_bits;
  shape.adders = adders;
  return shape;
}

/// The ports of a twin and the model, driven alike.
class CounterPair {
 public:
  CounterPair(TwinBench& bench, const std::string& instance, const hw::CounterArrayShape& shape)
      : bench_(bench),
        shape_(shape),
        index_bits_(hw::index_bits(shape.entries)),
        banks_(shape.same_entry == hw::SameEntry::kBanked ? shape.adders : 1),
        model_(TwinBench::owner(), "counters", shape),
        read_index_(bench.port(instance, "read_index_i")),
        read_data_(bench.port(instance, "read_data_o")),
        write_(bench.port(instance, "write_i")),
        write_index_(bench.port(instance, "write_index_i")),
        write_data_(bench.port(instance, "write_data_i")),
        add_(bench.port(instance, "add_i")),
        subtract_(bench.port(instance, "subtract_i")),
        add_index_(bench.port(instance, "add_index_i")),
        add_amount_(bench.port(instance, "add_amount_i")),
        count_(bench.port(instance, "count_i")),
        count_amount_(bench.port(instance, "count_amount_i")),
        clear_(bench.port(instance, "clear_i")),
        values_(bench.port(instance, "values_o")),
        next_(bench.port(instance, "next_o")) {
    EXPECT_EQ(values_.bits(), banks_ * shape.entries * shape.bits);
    EXPECT_EQ(add_amount_.bits(), std::max(1U, shape.adders) * shape.amount_bits);
  }

  /// One cycle: what the ports of a shape can do, at random.
  void cycle(std::uint64_t now, Stimuli& stimuli) {
    written_.clear();
    for (TwinPort* port : {&write_, &add_, &subtract_, &count_, &clear_}) port->clear();
    std::vector<unsigned> read(shape_.read_ports);
    for (unsigned r = 0; r < shape_.read_ports; ++r) {
      read[r] = stimuli.below(shape_.entries);
      read_index_.set(r * index_bits_, index_bits_, read[r]);
    }
    bench_.settle();
    for (unsigned r = 0; r < shape_.read_ports; ++r) {
      EXPECT_EQ(read_data_.get(r * shape_.bits, shape_.bits), model_.read(now, read[r]));
    }
    for (unsigned e = 0; e < shape_.entries; ++e)
      EXPECT_EQ(kept(values_, e), model_.value(e)) << "entry " << e;
    write(now, stimuli);
    add(now, stimuli);
    count(stimuli);
    if (shape_.clear && stimuli.once_in(8)) clear(stimuli);
    bench_.settle();
    for (unsigned e = 0; e < shape_.entries; ++e) EXPECT_EQ(kept(next_, e), model_.value(e)) << "entry " << e;
    bench_.edge();
  }

 private:
  /// The sum of the banks.
  std::uint64_t kept(const TwinPort& port, unsigned entry) const {
    std::uint64_t sum = 0;
    for (unsigned b = 0; b < banks_; ++b) {
      sum += port.get((b * shape_.entries + entry) * shape_.bits, shape_.bits);
    }
    return sum & hw::low_bits(shape_.bits);
  }

  void write(std::uint64_t now, Stimuli& stimuli) {
    for (unsigned w = 0; w < shape_.write_ports; ++w) {
      const unsigned entry = stimuli.below(shape_.entries);
      if (stimuli.once_in(2) || !written_.insert(entry).second) continue;
      const std::uint64_t value = stimuli.value(shape_.bits);
      write_.set(w, 1, 1);
      write_index_.set(w * index_bits_, index_bits_, entry);
      write_data_.set(w * shape_.bits, shape_.bits, value);
      model_.write(now, entry, value);
    }
  }

  /// Adders that merge and meet go the same way. When the last one alone counts they may also meet a write.
  void add(std::uint64_t now, Stimuli& stimuli) {
    const bool may_meet = shape_.same_entry != hw::SameEntry::kRefused;
    const bool down = stimuli.once_in(3);
    const unsigned meeting = stimuli.below(shape_.entries);
    std::set<unsigned> added;
    for (unsigned a = 0; a < shape_.adders; ++a) {
      const unsigned entry = stimuli.once_in(2) ? meeting : stimuli.below(shape_.entries);
      if (stimuli.once_in(3)) continue;
      if (shape_.same_entry != hw::SameEntry::kLost && written_.count(entry) != 0) continue;
      if (!added.insert(entry).second && !may_meet) continue;
      const std::uint64_t amount = stimuli.value(shape_.amount_bits);
      add_.set(a, 1, 1);
      subtract_.set(a, 1, down ? 1 : 0);
      add_index_.set(a * index_bits_, index_bits_, entry);
      add_amount_.set(a * shape_.amount_bits, shape_.amount_bits, amount);
      if (down) {
        model_.subtract(now, entry, amount);
      } else {
        model_.add(now, entry, amount);
      }
    }
    written_.insert(added.begin(), added.end());
  }

  void count(Stimuli& stimuli) {
    if (!shape_.counts_in_place) return;
    for (unsigned e = 0; e < shape_.entries; ++e) {
      if (stimuli.once_in(2) || written_.count(e) != 0) continue;
      const std::uint64_t amount = stimuli.value(shape_.amount_bits);
      count_.set(e, 1, 1);
      count_amount_.set(e * shape_.amount_bits, shape_.amount_bits, amount);
      model_.count(e, amount);
    }
  }

  void clear(Stimuli& stimuli) {
    const std::uint64_t cleared = stimuli.value(shape_.entries);
    clear_.set(cleared);
    for (unsigned e = 0; e < shape_.entries; ++e) {
      if ((cleared >> e & 1U) != 0) model_.clear(e);
    }
  }

  TwinBench& bench_;
  hw::CounterArrayShape shape_;
  unsigned index_bits_;
  unsigned banks_;
  hw::CounterArray model_;
  TwinPort read_index_, read_data_, write_, write_index_, write_data_, add_, subtract_, add_index_,
      add_amount_, count_, count_amount_, clear_, values_, next_;
  std::set<unsigned> written_;  ///< in this cycle
};

void compare(const std::string& instance, const hw::CounterArrayShape& shape, unsigned cycles = 1000) {
  TwinBench bench;
  Stimuli stimuli(21);
  CounterPair pair(bench, instance, shape);
  for (unsigned cycle = 0; cycle < cycles && !testing::Test::HasFailure(); ++cycle) {
    SCOPED_TRACE(instance + " cycle " + std::to_string(cycle));
    pair.cycle(cycle, stimuli);
  }
}

TEST(CounterArrayTwin, OneBit) { compare("i_counter_array_narrow", shape_of(1, 1, 1, 1)); }

TEST(CounterArrayTwin, PortsAndClearLines) {
  hw::CounterArrayShape shape = shape_of(24, 13, 6, 2);
  shape.read_ports = 2;
  shape.clear = true;
  compare("i_counter_array_typical", shape);
}

TEST(CounterArrayTwin, MergedAmounts) {
  hw::CounterArrayShape shape = shape_of(8, 5, 5, 3);
  shape.overflow = hw::Overflow::kSaturate;
  shape.same_entry = hw::SameEntry::kMerged;
  compare("i_counter_array_merged", shape);
}

TEST(CounterArrayTwin, Banks) {
  hw::CounterArrayShape shape = shape_of(5, 32, 6, 2);
  shape.clear = true;
  shape.same_entry = hw::SameEntry::kBanked;
  compare("i_counter_array_banked", shape);
}

TEST(CounterArrayTwin, TheLastOneAloneCounts) {
  hw::CounterArrayShape shape = shape_of(3, 8, 8, 2);
  shape.overflow = hw::Overflow::kSaturate;
  shape.same_entry = hw::SameEntry::kLost;
  compare("i_counter_array_lost", shape);
}

TEST(CounterArrayTwin, CountsInPlace) {
  hw::CounterArrayShape shape = shape_of(48, 64, 1, 0);
  shape.read_ports = shape.write_ports = 0;
  shape.clear = true;
  shape.counts_in_place = true;
  compare("i_counter_array_in_place", shape, 300);
}

}  // namespace
}  // namespace heddle::test
