#include "hw/parts/counter_array.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/pricing/gates.h"

namespace heddle::hw {

CounterArray::CounterArray(const Owner& owner, std::string_view name, const CounterArrayShape& shape,
                           PaperCount paper)
    : Part(owner, name, paper),
      shape_(shape),
      read_ports_(0, 1, false),
      write_ports_(0, 1, false),
      adders_(0, 1, false) {
  expect_range("entries", shape.entries, 1, 1024);
  expect_range("bits", shape.bits, 1, 64);
  expect_range("read_ports", shape.read_ports, 0, shape.entries);
  expect_range("write_ports", shape.write_ports, 0, shape.entries);
  expect_range("adders", shape.adders, 0, shape.entries);
  expect_range("amount_bits", shape.amount_bits, 0, shape.bits);
  if (shape_.amount_bits == 0) shape_.amount_bits = shape.bits;
  amount_mask_ = low_bits(shape_.amount_bits);
  values_.assign(shape.entries, 0);
  read_ports_ = Ports(shape.read_ports, 1, hardware());
  write_ports_ = Ports(shape.write_ports, 1, hardware());
  adders_ = Ports(shape.adders, 1, hardware());
  set_cycles(operation_cycles(0, structure().path));
}

void CounterArray::clear() {
  if (!shape_.clear) misuse("found clear(), expected a shape with a clear line");
  ++activity_.writes;
  std::fill(values_.begin(), values_.end(), 0);
}

void CounterArray::clear(unsigned index) {
  if (!shape_.clear) misuse("found clear(), expected a shape with a clear line");
  ++activity_.writes;
  values_[index] = 0;
}

Structure CounterArray::structure() const {
  Structure row;
  row.kind = "counter array";
  row.storage = StorageKind::kFlipFlops;
  row.entries = shape_.entries;
  row.bits_per_entry = shape_.bits;
  row.read_ports = shape_.read_ports + shape_.adders;
  row.write_ports = shape_.write_ports + shape_.adders;
  const unsigned in_place = shape_.counts_in_place ? shape_.entries : 0;
  row.adders = shape_.adders + in_place;
  row.adder_bits = row.adders > 0 ? shape_.bits : 0;
  row.cycles_per_operation = cycles();
  row.area.storage = gates::flip_flops(static_cast<double>(row.declared_bits()));
  row.area.read_muxes = row.read_ports * gates::mux(shape_.entries, shape_.bits);
  row.area.writes = gates::write_ports(shape_.entries, shape_.bits, row.write_ports);
  if (shape_.clear) row.area.writes += gates::gate_row(static_cast<double>(row.declared_bits()));
  if (in_place > 0) row.area.writes += gates::gate_row(static_cast<double>(row.declared_bits()));
  row.area.adders = row.adders * gates::adder(shape_.bits, shape_.amount_bits, shape_.overflow);
  if (row.read_ports > 0) {
    row.path.through("read multiplexer", gates::mux_fo4(shape_.entries, shape_.bits));
    if (shape_.adders > 0) row.path.through("adder", gates::adder_fo4(shape_.bits, shape_.amount_bits));
  } else if (in_place > 0) {
    row.path.through("adder", gates::adder_fo4(shape_.bits, shape_.amount_bits));
  }
  row.path.through("enable", gates::enable_fo4());
  return row;
}

void CounterArray::trace(WaveSink& sink) const {
  const WaveScope scope(sink, name());
  for (unsigned i = 0; i < shape_.entries; ++i) {
    sink.signal(values_[i], shape_.bits, fmt::format("entry{}", i));
  }
}

}  // namespace heddle::hw
