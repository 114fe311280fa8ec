// What a sorter is made of: area, depth, and its waves.
#include <fmt/format.h>

#include "hw/order/in_place_sorter.h"
#include "hw/pricing/bits.h"
#include "hw/pricing/gates.h"

namespace heddle::hw {

TimingPath InPlaceSorter::compare_swap() const {
  const unsigned width = index_bits(shape_.entries);
  // What is swapped is shifted when members come and go, and copied at the end.
  const unsigned shifts = (shape_.dynamic ? 1 + shape_.removals : 0) + (shape_.buffered ? 1 : 0);
  const Depth moved = sized_only(shifts * gates::mux_fo4(2, width));
  TimingPath path;
  path.through("order multiplexer", gates::mux_fo4(shape_.entries, width))
      .through("key multiplexer", gates::mux_fo4(shape_.entries, shape_.key_bits))
      .through("comparator", gates::comparator_fo4(shape_.key_bits + width))
      .through("swap", gates::late_write_fo4(shape_.entries) + moved);
  return path;
}

Structure InPlaceSorter::structure() const {
  const unsigned n = shape_.entries;
  const unsigned k = shape_.comparators;
  const unsigned width = index_bits(n);
  Structure row;
  row.kind = "in-place sorter";
  row.storage = StorageKind::kFlipFlops;
  row.entries = n;
  row.bits_per_entry = width;
  // Phase and pair counters; busy, swapped, direction. Then the cycles left of a comparison, the second
  // order, the members, the latched keys.
  row.hidden_bits = 2ULL * width + 3;
  if (cycles() > 1) row.hidden_bits += index_bits(cycles());
  if (shape_.buffered) row.hidden_bits += std::uint64_t{n} * width;
  if (shape_.dynamic) row.hidden_bits += width;  // how many
  if (shape_.keys == SortKeys::kLatched) row.hidden_bits += std::uint64_t{n} * shape_.key_bits;
  row.read_ports = 2 * k;
  row.write_ports = 2 * k;
  row.comparators = k;
  row.comparator_bits = shape_.key_bits + width;  // equal keys: the lower index first
  row.cycles_per_operation = cycles();
  row.area.storage = gates::flip_flops(static_cast<double>(row.total_bits()));
  row.area.read_muxes = 2.0 * k * (gates::mux(n, width) + gates::mux(n, shape_.key_bits));
  row.area.writes = gates::write_ports(n, width, 2 * k);
  // The copies load all at once: enables, no decoders. Members shift together when one leaves.
  if (shape_.buffered) row.area.writes += gates::write_ports(1, n * width, 1);
  if (shape_.dynamic) {
    const unsigned changes = 1 + shape_.removals;
    row.area.writes += gates::write_ports(1, n * width, shape_.buffered ? 2 * changes : changes);
  }
  if (shape_.keys == SortKeys::kLatched) row.area.writes += gates::write_ports(1, n * shape_.key_bits, 1);
  row.area.comparators = k * gates::comparator(row.comparator_bits);
  row.path = compare_swap();
  return row;
}

void InPlaceSorter::trace(WaveSink& sink) const {
  const WaveScope scope(sink, name());
  wave_ = std::make_unique<Wave>();
  show();
  sink.signal(members_, shape_.entries, "members");
  sink.change_with(wave_->version);
  sink.signal(wave_->busy, 1, "busy");
  sink.signal(wave_->descending, 1, "descending");
  sink.signal(wave_->step_ends, 64, "step_ends");
  for (unsigned i = 0; i < shape_.entries; ++i) {
    sink.signal(wave_->place[i], index_bits(shape_.entries), fmt::format("place{}", i));
  }
}

}  // namespace heddle::hw
