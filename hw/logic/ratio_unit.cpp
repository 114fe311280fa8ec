#include "hw/logic/ratio_unit.h"

#include <algorithm>

#include "hw/pricing/gates.h"

namespace heddle::hw {

RatioUnit::RatioUnit(const Owner& owner, std::string_view name, const RatioUnitShape& shape)
    : Part(owner, name, PaperCount::kNot), shape_(shape), unit_(1, 1, false) {
  expect_range("factor_bits", shape.factor_bits, 1, 32);
  expect_range("multiplier_bits", shape.multiplier_bits, 1, 32);
  expect_range("divisor_bits", shape.divisor_bits, 1, 32);
  expect_range("result_bits", shape.result_bits, 1, 64);
  step_cycles_ = operation_cycles(shape.cycles_per_step, structure().path);
  set_cycles(step_cycles_ * steps());
  unit_ = Ports(1, cycles(), hardware());
}

std::uint64_t RatioUnit::multiply_divide(Cycle cycle, std::uint64_t factor, std::uint64_t multiplier,
                                         std::uint64_t divisor) {
  use(unit_, cycle, "the unit");
  activity_.adds += steps();
  const std::uint64_t product =
      (factor & low_bits(shape_.factor_bits)) * (multiplier & low_bits(shape_.multiplier_bits));
  divisor &= low_bits(shape_.divisor_bits);
  if (divisor == 0) return low_bits(shape_.result_bits);
  const Sum kept = fit_bits(product / divisor, shape_.result_bits, Overflow::kSaturate);
  activity_.overflows += kept.overflowed;
  return kept.value;
}

unsigned RatioUnit::adder_bits() const { return std::max(shape_.factor_bits, shape_.divisor_bits) + 1; }

unsigned RatioUnit::phase_bits() const {
  unsigned bits = index_bits(steps());
  for (unsigned step = shape_.multiplier_bits; step % 2 == 0; step /= 2) --bits;
  return bits;
}

Structure RatioUnit::structure() const {
  // One register holds multiplier and product, then dividend, remainder and quotient; another the divisor.
  // What is left is less than the divisor.
  const unsigned work = shape_.factor_bits + shape_.multiplier_bits + shape_.divisor_bits;
  const unsigned operands = shape_.factor_bits + shape_.divisor_bits;
  Structure row;
  row.kind = "sequential multiplier and divider";
  row.storage = StorageKind::kFlipFlops;
  row.entries = 1;
  row.bits_per_entry = work + operands;
  row.hidden_bits = index_bits(steps());  // which step
  // What is left of it; the first one, which adds to nothing, is taken with the second.
  if (step_cycles_ > 1) row.hidden_bits += index_bits(2 * step_cycles_ - 1);
  row.adders = 1;
  row.adder_bits = adder_bits();
  row.cycles_per_operation = cycles();
  row.area.storage = gates::flip_flops(static_cast<double>(row.total_bits()));
  // Operands are loaded; the work register is loaded, shifted, or shifted with the adder's result.
  row.area.writes = gates::write_ports(1, operands, 1) + gates::mux(3, work);
  row.area.read_muxes = gates::mux(2, adder_bits());  // factor or divisor
  row.area.adders = gates::adder(adder_bits(), adder_bits(), Overflow::kWrap);
  // Whether it is a step of the multiplication goes to both multiplexers.
  row.path
      .through("multiplication or division",
               gates::any_fo4(phase_bits()) + gates::fan_out_fo4(2 * adder_bits() + work))
      .through("operand multiplexer", gates::mux_fo4(2, 1))
      .through("adder", gates::adder_fo4(adder_bits(), adder_bits()))
      .through("shift multiplexer", gates::mux_fo4(3, 1))
      .through("enable", gates::enable_fo4());
  return row;
}

}  // namespace heddle::hw
