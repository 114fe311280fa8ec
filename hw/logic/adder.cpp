#include "hw/logic/adder.h"

#include "hw/pricing/gates.h"

namespace heddle::hw {

Adder::Adder(const Owner& owner, std::string_view name, const AdderShape& shape)
    : Part(owner, name, PaperCount::kNot), shape_(shape), units_(0, 1, false) {
  expect_range("bits", shape.bits, 1, 64);
  expect_range("count", shape.count, 1, 1024);
  expect_range("amount_bits", shape.amount_bits, 0, shape.bits);
  if (shape_.amount_bits == 0) shape_.amount_bits = shape.bits;
  amount_mask_ = low_bits(shape_.amount_bits);
  set_cycles(operation_cycles(shape.cycles, structure().path));
  units_ = Ports(shape.count, cycles(), hardware());
}

Structure Adder::structure() const {
  Structure row;
  row.kind = shape_.overflow == Overflow::kSaturate ? "saturating adder" : "adder";
  row.adders = shape_.count;
  row.adder_bits = shape_.bits;
  row.cycles_per_operation = cycles();
  row.area.adders = shape_.count * gates::adder(shape_.bits, shape_.amount_bits, shape_.overflow);
  row.path.through("adder",
                   gates::adder_fo4(shape_.bits, shape_.amount_bits) +
                       (shape_.overflow == Overflow::kSaturate ? gates::saturate_fo4(shape_.bits) : Depth()));
  return row;
}

}  // namespace heddle::hw
