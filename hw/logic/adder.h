#pragma once

#include "hw/pricing/bits.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

struct AdderShape {
  unsigned bits = 32;                   ///< 1 to 64; operands are cut to it
  Overflow overflow = Overflow::kWrap;  ///< of sums, and of differences below 0
  unsigned count = 1;                   ///< operations that can be under way at once
  unsigned cycles = 0;       ///< of an operation in hardware timing; 0: from the depth and the clock
  unsigned amount_bits = 0;  ///< of the second operand, cut to it; 0: as wide as the first
};

/// `count` like adders that can also subtract. A result holds cycles() after the cycle of the call (0 in
/// ideal timing); the owner waits for it.
class Adder final : public Part {
 public:
  /// Throws std::invalid_argument for a width outside 1 to 64 or no adder.
  Adder(const Owner& owner, std::string_view name, const AdderShape& shape);

  std::uint64_t add(Cycle cycle, std::uint64_t a, std::uint64_t b) {
    return finish(cycle, add_bits(a, b & amount_mask_, shape_.bits, shape_.overflow));
  }
  /// The last of so many additions of ideal timing, of which the others do not overflow.
  std::uint64_t add(Cycle cycle, std::uint64_t a, std::uint64_t b, std::uint64_t times) {
    activity_.adds += times - 1;
    return add(cycle, a, b);
  }
  std::uint64_t subtract(Cycle cycle, std::uint64_t a, std::uint64_t b) {
    return finish(cycle, subtract_bits(a, b & amount_mask_, shape_.bits, shape_.overflow));
  }

  /// Gives up what is under way at `cycle` or was to follow: the units are free.
  void give_up(Cycle cycle) { units_.give_up(cycle); }

  Structure structure() const override;

 private:
  std::uint64_t finish(Cycle cycle, Sum sum) {
    use(units_, cycle, "adders");
    ++activity_.adds;
    activity_.overflows += sum.overflowed;
    return sum.value;
  }

  AdderShape shape_;
  std::uint64_t amount_mask_ = 0;
  Ports units_;
};

}  // namespace heddle::hw
