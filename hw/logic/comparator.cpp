#include "hw/logic/comparator.h"

#include "hw/pricing/gates.h"

namespace heddle::hw {

Comparator::Comparator(const Owner& owner, std::string_view name, const ComparatorShape& shape)
    : Part(owner, name, PaperCount::kNot), shape_(shape), mask_(low_bits(shape.bits)), units_(0, 1, false) {
  expect_range("bits", shape.bits, 1, 64);
  expect_range("count", shape.count, 1, 1024);
  set_cycles(operation_cycles(shape.cycles, structure().path));
  units_ = Ports(shape.count, cycles(), hardware());
}

Structure Comparator::structure() const {
  Structure row;
  row.kind = shape_.equality ? "equality comparator" : "comparator";
  row.comparators = shape_.count;
  row.comparator_bits = shape_.bits;
  row.cycles_per_operation = cycles();
  row.area.comparators =
      shape_.count * (shape_.equality ? gates::equality(shape_.bits) : gates::comparator(shape_.bits));
  row.path.through("comparator",
                   shape_.equality ? gates::equality_fo4(shape_.bits) : gates::comparator_fo4(shape_.bits));
  return row;
}

}  // namespace heddle::hw
