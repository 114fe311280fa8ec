// What a table is made of: area, depth, and its waves.
#include <fmt/format.h>

#include "hw/pricing/gates.h"
#include "hw/storage/table.h"

namespace heddle::hw {

unsigned Table::rank_bits() const { return shape_.ways > 1 ? index_bits(shape_.ways) : 0; }

Structure Table::structure() const {
  const bool tagged = shape_.tag_bits > 0;
  const bool cam = tagged && shape_.sets == 1 && shape_.ways > 1;
  const bool flip_flops = shape_.storage == StorageKind::kFlipFlops;
  unsigned field_bits = 0;
  for (const TableField& field : shape_.fields) field_bits += field.bits;

  Structure row;
  row.kind = cam ? "CAM table" : shape_.ways > 1 ? "set-associative table" : "direct table";
  row.storage = !flip_flops ? StorageKind::kRam : cam ? StorageKind::kCam : StorageKind::kFlipFlops;
  row.entries = lines();
  row.bits_per_entry = shape_.tag_bits + field_bits;
  row.hidden_bits = std::uint64_t{lines()} * ((tagged ? 1U : 0U) + rank_bits());
  row.read_ports = shape_.read_ports + (tagged && !cam ? shape_.lookup_ports : 0);
  row.write_ports = shape_.write_ports;
  row.comparators = tagged ? shape_.lookup_ports * shape_.ways : 0;
  row.comparator_bits = tagged ? shape_.tag_bits : 0;
  row.cycles_per_operation = cycles();

  row.area.storage = gates::flip_flops(static_cast<double>(row.hidden_bits));
  row.area.writes = tagged ? gates::gate_row(2.0 * static_cast<double>(row.hidden_bits)) : 0;
  if (flip_flops) {
    row.area.storage += gates::flip_flops(static_cast<double>(row.declared_bits()));
    row.area.writes += gates::write_ports(lines(), row.bits_per_entry, shape_.write_ports);
    // The match lines of a CAM select by themselves.
    row.area.read_muxes =
        shape_.read_ports * (cam ? gates::one_hot_mux(lines(), field_bits) : gates::mux(lines(), field_bits));
    if (tagged && !cam) {  // a lookup reads the tags of one set
      row.area.read_muxes += shape_.lookup_ports * shape_.ways * gates::mux(shape_.sets, shape_.tag_bits);
    }
  }
  row.area.comparators = row.comparators * gates::equality(shape_.tag_bits);
  if (rank_bits() > 0) {
    // The entry of rank 0, and, for LRU, the comparison of every rank with the one that is touched.
    row.selector_inputs = shape_.ways;
    row.area.selection = shape_.sets * gates::find_first(shape_.ways);
    if (shape_.replacement == Replacement::kLru) {
      row.area.selection +=
          lines() * (gates::comparator(rank_bits()) + gates::adder(rank_bits(), 1, Overflow::kWrap));
    }
  }

  if (tagged) {
    if (!cam && flip_flops)
      row.path.through("tag multiplexers", gates::mux_fo4(shape_.sets, shape_.tag_bits));
    row.path.through("tag comparison", gates::equality_fo4(shape_.tag_bits));
    if (field_bits > 0) row.path.through("way multiplexer", gates::one_hot_mux_fo4(shape_.ways));
  } else if (flip_flops) {
    row.path.through("read multiplexer", gates::mux_fo4(lines(), field_bits));
  }
  row.path.through("enable", gates::enable_fo4());
  return row;
}

TimingPath Table::touch_path() const {
  TimingPath path;
  return path.through("tag to each line", gates::fan_out_fo4(shape_.ways))
      .through("tag comparison", gates::equality_fo4(shape_.tag_bits))
      .through("there", gates::any_fo4(shape_.ways) + gates::kGateFo4)
      .through("to each line", gates::fan_out_fo4(shape_.ways) + gates::kGateFo4)
      .through("rank of the line", gates::one_hot_mux_fo4(shape_.ways))
      .through("to each rank", gates::fan_out_fo4(shape_.ways))
      .through("rank comparison", gates::comparator_fo4(rank_bits()))
      .through("enable", gates::enable_fo4());
}

void Table::trace(WaveSink& sink) const {
  const WaveScope scope(sink, name());
  for (unsigned line = 0; line < lines(); ++line) {
    const WaveScope entry(sink, fmt::format("line{}", line));
    if (shape_.tag_bits > 0) {
      sink.signal(valid_[line], 1, "valid");
      sink.signal(tags_[line], shape_.tag_bits, "tag");
    }
    for (unsigned f = 0; f < fields_; ++f) {
      sink.signal(values_[line * fields_ + f], shape_.fields[f].bits, shape_.fields[f].name);
    }
  }
}

}  // namespace heddle::hw
