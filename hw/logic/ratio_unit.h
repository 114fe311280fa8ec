#pragma once

#include "hw/pricing/bits.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

struct RatioUnitShape {
  unsigned factor_bits = 32;      ///< 1 to 32: of the first factor
  unsigned multiplier_bits = 16;  ///< 1 to 32: of the second; one step of the multiplication each
  unsigned divisor_bits = 32;     ///< 1 to 32
  unsigned result_bits = 16;      ///< 1 to 64; a larger quotient saturates
  unsigned cycles_per_step = 0;   ///< in hardware timing; 0: from the depth and the clock
};

/// a x b / c, truncated, with one adder: shift-and-add multiplication, then restoring division, a bit a step.
class RatioUnit final : public Part {
 public:
  /// Throws std::invalid_argument for widths outside the ranges of the shape.
  RatioUnit(const Owner& owner, std::string_view name, const RatioUnitShape& shape);

  /// Operands are cut to their widths. Division by 0 gives all ones, as the restoring steps do. The result
  /// holds cycles() after `cycle`; until then the unit is busy.
  std::uint64_t multiply_divide(Cycle cycle, std::uint64_t factor, std::uint64_t multiplier,
                                std::uint64_t divisor);
  /// Of a step; 0 in ideal timing.
  unsigned step_cycles() const { return step_cycles_; }
  unsigned steps() const { return 2 * shape_.multiplier_bits + shape_.factor_bits; }

  Structure structure() const override;

 private:
  unsigned adder_bits() const;
  /// Bits of the step that say whether it is one of the multiplication.
  unsigned phase_bits() const;

  RatioUnitShape shape_;
  unsigned step_cycles_ = 0;  ///< 0 in ideal timing
  Ports unit_;
};

}  // namespace heddle::hw
