#include "hw/storage/counter_array.h"

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
  // As many as there are entries can be at work unless several may meet at one.
  constexpr unsigned kMostThatMeet = 64;
  const bool may_meet = shape.same_entry != SameEntry::kRefused;
  expect_range("adders", shape.adders, 0, may_meet ? std::max(shape.entries, kMostThatMeet) : shape.entries);
  expect_range("amount_bits", shape.amount_bits, 0, shape.bits);
  if (shape_.amount_bits == 0) shape_.amount_bits = shape.bits;
  amount_mask_ = low_bits(shape_.amount_bits);
  max_ = low_bits(shape_.bits);
  values_.assign(shape.entries, 0);
  read_ports_ = Ports(shape.read_ports, 1, hardware());
  write_ports_ = Ports(shape.write_ports, 1, hardware());
  adders_ = Ports(shape.adders, 1, hardware());
  expect_range("add_cycles", shape.add_cycles, 0, 64);
  set_cycles(operation_cycles(0, structure().path));
  if (hardware() && shape.adders > 0) add_cycles_ = operation_cycles(shape.add_cycles, structure().path);
  under_way_.reserve(std::size_t{add_cycles_} * shape.adders);
  written_.reserve(std::size_t{shape.adders} + shape.write_ports);
}

/// An entry is written to in `cycle`: perhaps not for the first time.
void CounterArray::meet(Cycle cycle, unsigned index) {
  if (written_at_ != cycle) {
    written_at_ = cycle;
    written_.clear();
  }
  const auto same = std::find_if(written_.begin(), written_.end(),
                                 [index](const Written& written) { return written.index == index; });
  if (same == written_.end()) {
    written_.push_back({index, values_[index]});
    return;
  }
  if (shape_.same_entry == SameEntry::kRefused) conflict(cycle, "entry, by several ports");
  if (shape_.same_entry != SameEntry::kLost) return;
  ++lost_;
  if (wraps() && values_[index] < same->before) --activity_.overflows;  // by an addition that is undone
  values_[index] = same->before;
  const Cycle at = cycle + add_cycles_ - 1;
  under_way_.erase(
      std::remove_if(under_way_.begin(), under_way_.end(),
                     [=](const Addition& other) { return other.index == index && other.at == at; }),
      under_way_.end());
}

std::uint64_t CounterArray::begin(Cycle cycle, Addition addition) {
  addition.at = cycle + add_cycles_ - 1;
  under_way_.push_back(addition);
  return values_[addition.index];
}

void CounterArray::land(Cycle cycle) {
  auto next = under_way_.begin();
  for (; next != under_way_.end() && next->at <= cycle; ++next) {
    keep(next->index,
         next->subtract ? subtracted(next->index, next->amount) : added(next->index, next->amount));
  }
  under_way_.erase(under_way_.begin(), next);
}

void CounterArray::clear() {
  if (!shape_.clear) misuse("found clear(), expected a shape with a clear line");
  ++activity_.writes;
  std::fill(values_.begin(), values_.end(), 0);
  under_way_.clear();
}

void CounterArray::clear(unsigned index) {
  if (!shape_.clear) misuse("found clear(), expected a shape with a clear line");
  ++activity_.writes;
  values_[index] = 0;
  if (under_way_.empty()) return;
  under_way_.erase(std::remove_if(under_way_.begin(), under_way_.end(),
                                  [index](const Addition& other) { return other.index == index; }),
                   under_way_.end());
}

/// What an adder adds: its amount, or, where they are merged, all of them.
unsigned CounterArray::merged_bits() const {
  if (shape_.same_entry != SameEntry::kMerged || shape_.adders < 2) return shape_.amount_bits;
  return std::min(shape_.bits, shape_.amount_bits + index_bits(shape_.adders));
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
  row.area.adders = shape_.adders * gates::adder(shape_.bits, merged_bits(), shape_.overflow) +
                    in_place * gates::adder(shape_.bits, shape_.amount_bits, shape_.overflow);
  if (shape_.adders > 1 && shape_.same_entry == SameEntry::kMerged) price_merging(row);
  if (shape_.adders > 1 && shape_.same_entry == SameEntry::kBanked) {
    row.hidden_bits = (shape_.adders - 1) * row.declared_bits();
    row.area.storage = gates::flip_flops(static_cast<double>(row.total_bits()));
    if (shape_.clear) row.area.writes += gates::gate_row(static_cast<double>(row.hidden_bits));
  }
  if (add_cycles_ > 1) price_stages(row);
  const Depth saturating =
      shape_.overflow == Overflow::kSaturate ? gates::saturate_fo4(shape_.bits) : Depth();
  if (row.read_ports > 0) {
    row.path.through("read multiplexer", later(gates::mux_fo4(shape_.entries, shape_.bits), merging_fo4()));
    if (shape_.adders > 0)
      row.path.through("adder", gates::adder_fo4(shape_.bits, merged_bits()) + saturating);
  } else if (in_place > 0) {
    row.path.through("adder", gates::adder_fo4(shape_.bits, shape_.amount_bits) + saturating);
  }
  row.path.through("enable", gates::enable_fo4());
  return row;
}

/// Beside the read multiplexer.
Depth CounterArray::merging_fo4() const {
  if (merged_bits() == shape_.amount_bits) return {};
  return gates::equality_fo4(index_bits(shape_.entries)) + gates::kGateFo4 +
         gates::adder_fo4(merged_bits(), shape_.amount_bits);
}

/// Each adder but the first looks for an earlier one of the same address, to which its amount then goes.
void CounterArray::price_merging(Structure& row) const {
  const unsigned width = index_bits(shape_.entries);
  const unsigned amount = shape_.amount_bits;
  const unsigned pairs = shape_.adders * (shape_.adders - 1) / 2;
  row.area.comparators += pairs * gates::equality(width);
  row.area.adders += (shape_.adders - 1) * gates::adder(merged_bits(), amount, Overflow::kWrap) +
                     pairs * gates::gate_row(amount);
}

/// Address, amount and partial sum of each addition under way, and, for one that follows, a comparison with
/// the address of each and the multiplexer that takes its sum instead of the entry.
void CounterArray::price_stages(Structure& row) const {
  const unsigned width = index_bits(shape_.entries);
  const unsigned additions = shape_.adders * (add_cycles_ - 1);
  const std::uint64_t bits = std::uint64_t{additions} * (1 + width + merged_bits() + shape_.bits);
  row.hidden_bits += bits;
  row.area.storage += gates::flip_flops(static_cast<double>(bits));
  row.area.comparators += shape_.adders * additions * gates::equality(width);
  row.area.read_muxes += shape_.adders * additions * gates::mux(2, shape_.bits);
}

void CounterArray::trace(WaveSink& sink) const {
  const WaveScope scope(sink, name());
  for (unsigned i = 0; i < shape_.entries; ++i) {
    sink.signal(values_[i], shape_.bits, fmt::format("entry{}", i));
  }
}

}  // namespace heddle::hw
