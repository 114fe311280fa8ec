#include "hw/storage/bit_vector.h"

#include "hw/pricing/gates.h"

namespace heddle::hw {

BitVector::BitVector(const Owner& owner, std::string_view name, unsigned bits, PaperCount paper)
    : Part(owner, name, paper), mask_(low_bits(bits)) {
  expect_range("bits", bits, 1, 64);
  set_cycles(operation_cycles(1, {}));
}

BitVector::BitVector(const Owner& owner, std::string_view name, Wires wires, PaperCount paper)
    : Part(owner, name, paper), mask_(wires.mask) {
  expect_range("bits", bits(), 1, 64);
  set_cycles(operation_cycles(1, {}));
}

Structure BitVector::structure() const {
  Structure row;
  row.kind = "bit vector";
  row.storage = StorageKind::kFlipFlops;
  row.entries = 1;
  row.bits_per_entry = bits();
  row.write_ports = 1;
  row.cycles_per_operation = cycles();
  row.area.storage = gates::flip_flops(bits());
  row.area.writes = gates::gate_row(2.0 * bits());  // set (OR) and clear (AND) of each bit
  row.path.through("set, clear", gates::enable_fo4());
  return row;
}

void BitVector::trace(WaveSink& sink) const { sink.mask(value_, index_of_last() + 1, name()); }

}  // namespace heddle::hw
