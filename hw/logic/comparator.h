#pragma once

#include "hw/pricing/bits.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

struct ComparatorShape {
  unsigned bits = 32;     ///< 1 to 64; operands are cut to it
  unsigned count = 1;     ///< comparisons that can be under way at once
  unsigned cycles = 0;    ///< of a comparison in hardware timing; 0: from the depth and the clock
  bool equality = false;  ///< compares for equality only: smaller
};

/// `count` like comparators. A result holds cycles() after the cycle of the call (0 in ideal timing); the
/// owner waits for it.
class Comparator final : public Part {
 public:
  /// Throws std::invalid_argument for a width outside 1 to 64 or no comparator.
  Comparator(const Owner& owner, std::string_view name, const ComparatorShape& shape);

  /// a < b, unsigned; in `cycles` cycles up to this one. Throws std::logic_error from a comparator for
  /// equality.
  bool less(Cycle cycle, std::uint64_t a, std::uint64_t b, Cycle cycles = 1) {
    if (shape_.equality) misuse("found less(), expected equal(): the comparator is declared for equality");
    begin(cycle);
    activity_.compares += cycles - 1;
    return (a & mask_) < (b & mask_);
  }
  bool less_equal(Cycle cycle, std::uint64_t a, std::uint64_t b, Cycle cycles = 1) {
    return !less(cycle, b, a, cycles);
  }
  bool equal(Cycle cycle, std::uint64_t a, std::uint64_t b) {
    begin(cycle);
    return ((a ^ b) & mask_) == 0;
  }

  /// So many comparisons whose outcome the owner knows.
  void count(Cycle cycle, std::uint64_t comparisons = 1) {
    if (hardware()) return begin_all(cycle, comparisons);
    activity_.compares += comparisons;
  }

  /// Gives up what is under way at `cycle` or was to follow: the units are free.
  void give_up(Cycle cycle) { units_.give_up(cycle); }

  Structure structure() const override;

 private:
  void begin(Cycle cycle) {
    use(units_, cycle, "comparators");
    ++activity_.compares;
  }

  void begin_all(Cycle cycle, std::uint64_t comparisons) {
    for (; comparisons != 0; --comparisons) begin(cycle);
  }

  ComparatorShape shape_;
  std::uint64_t mask_;
  Ports units_;
};

}  // namespace heddle::hw
