#pragma once

#include <vector>

#include "hw/pricing/bits.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

/// What becomes of it when several adders or write ports meet at one entry in a cycle, in hardware timing. In
/// ideal timing every one of them counts.
enum class SameEntry : std::uint8_t {
  kRefused,  ///< it can't be, or is a port conflict: of what was priced the last one alone would write
  kMerged,   ///< adders compare their addresses and add up their amounts, and one of them writes
  kBanked,   ///< an adder has a register of its own per entry; the owner reads their sum, and prices that
  kLost,     ///< the last one writes what it read and its own amount: the others are lost
};

struct CounterArrayShape {
  unsigned entries = 48;                ///< 1 to 1024
  unsigned bits = 32;                   ///< 1 to 64
  Overflow overflow = Overflow::kWrap;  ///< of additions, subtractions and written values
  unsigned read_ports = 1;              ///< addressed reads per cycle; 0: none, only adders and wires
  unsigned write_ports = 1;             ///< addressed writes per cycle
  /// Read-add-write per cycle, each with a read multiplexer and write port of its own; to `entries`, or to 64
  /// where `same_entry` says what becomes of those that meet.
  unsigned adders = 1;
  bool clear = false;            ///< a line per entry that clears it: any of them at once
  unsigned amount_bits = 0;      ///< of what is added or subtracted, cut to it; 0: as wide as the counters
  bool counts_in_place = false;  ///< an adder of amount_bits at every entry, without multiplexers
  SameEntry same_entry = SameEntry::kRefused;
  unsigned add_cycles = 1;  ///< of the adders in hardware timing, 1 to 64; 0: from the depth and the clock
};

/// An array of counters in flip-flops. Addressed reads and writes go through ports; an adder reads an entry,
/// adds and writes it back in one operation. The outputs are also visible as wires: value().
///
/// Adders of several cycles begin an addition in every cycle; what is under way is passed on to those that
/// follow, so that no amount is lost. value() has a sum add_cycles() - 1 cycles later than it would without,
/// when land() was called; a line that clears an entry drops what is under way to it.
class CounterArray final : public Part {
 public:
  static constexpr Cycle kNever = ~Cycle{0};

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
    if (hardware()) meet(cycle, index);
    keep(index, fit_bits(value, shape_.bits, shape_.overflow));
  }
  /// Both return the new value, or that which was there when the adders take several cycles. `amount` is cut
  /// to amount_bits.
  std::uint64_t add(Cycle cycle, unsigned index, std::uint64_t amount) {
    count_add(cycle, index);
    if (add_cycles_ > 1) return begin(cycle, {0, index, amount, false});
    return keep(index, added(index, amount));
  }
  std::uint64_t subtract(Cycle cycle, unsigned index, std::uint64_t amount) {
    count_add(cycle, index);
    if (add_cycles_ > 1) return begin(cycle, {0, index, amount, true});
    return keep(index, subtracted(index, amount));
  }
  /// Of an addition until its sum is kept: 1 in ideal timing.
  unsigned add_cycles() const { return add_cycles_; }
  /// When the next sum under way is kept, as if it had been added in that cycle; kNever when there is none.
  Cycle next_landing() const { return under_way_.empty() ? kNever : under_way_.front().at; }
  /// Keeps the sums that are there at `cycle`.
  void land(Cycle cycle);
  /// Additions that another one to the same entry in the same cycle has undone (SameEntry::kLost).
  std::uint64_t lost() const { return lost_; }

  /// Adds `amount` in each of `cycles` cycles at the entry's own adder: all entries can count in a cycle.
  /// `amount` is what the entry receives in one cycle or a share of it, below 2^amount_bits. Throws
  /// std::logic_error without CounterArrayShape::counts_in_place.
  void count(unsigned index, std::uint64_t amount, Cycle cycles = 1) {
    expect_in_place();
    activity_.adds += cycles;
    keep(index, add_bits(values_[index], (amount & amount_mask_) * cycles, shape_.bits, shape_.overflow));
  }
  /// Adds 1, likewise.
  void count(unsigned index) {
    if (values_[index] == max_) return count(index, 1);
    expect_in_place();
    ++activity_.adds;
    ++values_[index];
  }
  /// All entries, or one, to 0; counts one write. Throws std::logic_error without CounterArrayShape::clear.
  void clear();
  void clear(unsigned index);

  Structure structure() const override;
  /// Every entry as a signal "name[i]".
  void trace(WaveSink& sink) const override;

 private:
  struct Addition {
    Cycle at;
    unsigned index;
    std::uint64_t amount;  ///< not cut
    bool subtract;
  };
  /// An entry that was written to in the present cycle, and what it held before.
  struct Written {
    unsigned index;
    std::uint64_t before;
  };

  void expect_in_place() const {
    if (!shape_.counts_in_place) misuse("found count(), expected a shape that counts in place");
  }
  void count_add(Cycle cycle, unsigned index) {
    use(adders_, cycle, "adders");
    ++activity_.reads;
    ++activity_.adds;
    ++activity_.writes;
    if (hardware()) meet(cycle, index);
  }
  void meet(Cycle cycle, unsigned index);
  std::uint64_t begin(Cycle cycle, Addition addition);
  unsigned merged_bits() const;
  Depth merging_fo4() const;
  void price_merging(Structure& row) const;
  void price_stages(Structure& row) const;
  /// An amount above all that a counter holds goes through 0 though its upper bits are cut.
  Sum added(unsigned index, std::uint64_t amount) const {
    Sum sum = add_bits(values_[index], amount & amount_mask_, shape_.bits, shape_.overflow);
    sum.overflowed |= amount > max_ && wraps();
    return sum;
  }
  Sum subtracted(unsigned index, std::uint64_t amount) const {
    Sum difference = subtract_bits(values_[index], amount & amount_mask_, shape_.bits, shape_.overflow);
    difference.overflowed |= amount > max_ && wraps();
    return difference;
  }
  bool wraps() const { return shape_.overflow == Overflow::kWrap; }
  std::uint64_t keep(unsigned index, Sum sum) {
    activity_.overflows += sum.overflowed;
    return values_[index] = sum.value;
  }

  CounterArrayShape shape_;
  std::uint64_t amount_mask_ = 0;
  std::uint64_t max_ = 0;  ///< of a counter
  std::vector<std::uint64_t> values_;
  Ports read_ports_;
  Ports write_ports_;
  Ports adders_;
  unsigned add_cycles_ = 1;
  std::vector<Addition> under_way_;  ///< in the order of their cycles
  Cycle written_at_ = kNever;
  std::vector<Written> written_;  ///< in that cycle
  std::uint64_t lost_ = 0;
};

}  // namespace heddle::hw
