#pragma once

#include <vector>

#include "hw/pricing/bits.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

struct CounterArrayShape {
  unsigned entries = 48;                ///< 1 to 1024
  unsigned bits = 32;                   ///< 1 to 64
  Overflow overflow = Overflow::kWrap;  ///< of additions, subtractions and written values
  unsigned read_ports = 1;              ///< addressed reads per cycle; 0: none, only adders and wires
  unsigned write_ports = 1;             ///< addressed writes per cycle
  unsigned adders = 1;  ///< read-add-write per cycle, each with a read multiplexer and write port of its own
  bool clear = false;   ///< a line per entry that clears it: any of them at once
  unsigned amount_bits = 0;      ///< of what is added or subtracted, cut to it; 0: as wide as the counters
  bool counts_in_place = false;  ///< an adder of amount_bits at every entry, without multiplexers
};

/// An array of counters in flip-flops. Addressed reads and writes go through ports; an adder reads an entry,
/// adds and writes it back in one operation. The outputs are also visible as wires: value().
class CounterArray final : public Part {
 public:
  /// Throws std::invalid_argument for sizes outside the ranges of the shape.
  CounterArray(const Owner& owner, std::string_view name, const CounterArrayShape& shape,
               PaperCount paper = PaperCount::kNot);

  unsigned entries() const { return shape_.entries; }
  unsigned bits() const { return shape_.bits; }

  /// The outputs of the flip-flops: no port, no count. What looks at all of them at once (a comparator per
  /// entry, a sorter with multiplexers of its own) is priced where it is declared.
  std::uint64_t value(unsigned index) const { return values_[index]; }
  const std::uint64_t* values() const { return values_.data(); }

  std::uint64_t read(Cycle cycle, unsigned index) {
    use(read_ports_, cycle, "read ports");
    ++activity_.reads;
    return values_[index];
  }
  void write(Cycle cycle, unsigned index, std::uint64_t value) {
    use(write_ports_, cycle, "write ports");
    ++activity_.writes;
    keep(index, fit_bits(value, shape_.bits, shape_.overflow));
  }
  /// Both return the new value. `amount` is cut to amount_bits.
  std::uint64_t add(Cycle cycle, unsigned index, std::uint64_t amount) {
    count_add(cycle);
    return keep(index, add_bits(values_[index], amount & amount_mask_, shape_.bits, shape_.overflow));
  }
  std::uint64_t subtract(Cycle cycle, unsigned index, std::uint64_t amount) {
    count_add(cycle);
    return keep(index, subtract_bits(values_[index], amount & amount_mask_, shape_.bits, shape_.overflow));
  }
  /// Adds `amount` in each of `cycles` cycles at the entry's own adder: all entries can count in a cycle.
  /// `amount` is what the entry receives in one cycle or a share of it, below 2^amount_bits. Throws
  /// std::logic_error without CounterArrayShape::counts_in_place.
  void count(unsigned index, std::uint64_t amount = 1, Cycle cycles = 1) {
    if (!shape_.counts_in_place) misuse("found count(), expected a shape that counts in place");
    activity_.adds += cycles;
    keep(index, add_bits(values_[index], (amount & amount_mask_) * cycles, shape_.bits, shape_.overflow));
  }
  /// All entries, or one, to 0; counts one write. Throws std::logic_error without CounterArrayShape::clear.
  void clear();
  void clear(unsigned index);

  Structure structure() const override;
  /// Every entry as a signal "name[i]".
  void trace(WaveSink& sink) const override;

 private:
  void count_add(Cycle cycle) {
    use(adders_, cycle, "adders");
    ++activity_.reads;
    ++activity_.adds;
    ++activity_.writes;
  }
  std::uint64_t keep(unsigned index, Sum sum) {
    activity_.overflows += sum.overflowed;
    return values_[index] = sum.value;
  }

  CounterArrayShape shape_;
  std::uint64_t amount_mask_ = 0;
  std::vector<std::uint64_t> values_;
  Ports read_ports_;
  Ports write_ports_;
  Ports adders_;
};

}  // namespace heddle::hw
