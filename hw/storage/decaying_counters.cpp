#include "hw/storage/decaying_counters.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/pricing/gates.h"

namespace heddle::hw {

DecayingCounters::DecayingCounters(const Owner& owner, std::string_view name,
                                   const DecayingCountersShape& shape, PaperCount paper)
    : Part(owner, name, paper), shape_(shape), write_port_(1, 1, hardware()) {
  expect_range("entries", shape.entries, 1, 1024);
  expect_range("bits", shape.bits, 1, 63);
  expect_range("floor", shape.floor, 0, low_bits(shape.bits));
  floor_at_.assign(shape.entries, 0);
  shown_.assign(shape.entries, shape.floor);
  set_cycles(operation_cycles(1, {}));
}

std::uint64_t DecayingCounters::write(Cycle cycle, unsigned index, std::uint64_t value) {
  use(write_port_, cycle, "write port");
  ++activity_.writes;
  const Sum kept = fit_bits(std::max(value, shape_.floor), shape_.bits, Overflow::kSaturate);
  activity_.overflows += kept.overflowed;
  floor_at_[index] = cycle + (kept.value - shape_.floor);
  latest_ = std::max(latest_, floor_at_[index]);
  return kept.value;
}

Structure DecayingCounters::structure() const {
  const unsigned n = shape_.entries;
  Structure row;
  row.kind = "decaying counters";
  row.storage = StorageKind::kFlipFlops;
  row.entries = n;
  row.bits_per_entry = shape_.bits;
  row.hidden_bits = shape_.tells_above ? 1 : 0;
  row.write_ports = 1;
  row.comparators = n;
  row.comparator_bits = shape_.bits;
  row.adders = n;
  row.adder_bits = shape_.bits;
  row.cycles_per_operation = cycles();
  row.area.storage = gates::flip_flops(static_cast<double>(row.total_bits()));
  row.area.writes =
      gates::write_ports(n, shape_.bits, 1) + gates::gate_row(static_cast<double>(row.declared_bits()));
  row.area.comparators = n * gates::equality(shape_.bits);
  if (shape_.clamps && shape_.floor > 0) row.area.comparators += gates::comparator(shape_.bits);
  if (shape_.tells_above) row.area.comparators += gates::gate_row(n);
  row.area.adders = n * gates::adder(shape_.bits, 1, Overflow::kWrap);
  row.path.through("floor comparison", gates::equality_fo4(shape_.bits))
      .through("decrement", gates::adder_fo4(shape_.bits, 1))
      .through("enable", gates::enable_fo4());
  return row;
}

void DecayingCounters::trace(WaveSink& sink) const {
  const WaveScope scope(sink, name());
  for (unsigned i = 0; i < shape_.entries; ++i) {
    sink.signal(shown_[i], shape_.bits, fmt::format("entry{}", i));
  }
}

void DecayingCounters::show(Cycle cycle) {
  for (unsigned i = 0; i < shape_.entries; ++i) shown_[i] = value(cycle, i);
}

}  // namespace heddle::hw
