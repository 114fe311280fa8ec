#include "hw/order/age_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hw/pricing/bits.h"
#include "hw/pricing/gates.h"

namespace heddle::hw {

namespace {

/// Moves `count` places down or to another order, in words: some places behind `to` are overwritten too.
void move_places(std::uint8_t* to, const std::uint8_t* from, unsigned count) {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < count; i += sizeof word) {
    std::memcpy(&word, from + i, sizeof word);
    std::memcpy(to + i, &word, sizeof word);
  }
}

}  // namespace

AgeOrder::AgeOrder(const Owner& owner, std::string_view name, const AgeOrderShape& shape, PaperCount paper)
    : Part(owner, name, paper),
      select_ports_(0, 1, false),
      shape_(shape),
      append_port_(1, 1, hardware()),
      rank_ports_(0, 1, false) {
  expect_range("entries", shape.entries, 1, 64);
  expect_range("stride", shape.stride, 1, 64);
  expect_range("last entry", shape.first + (shape.entries - 1) * shape.stride, 0, 63);
  expect_range("select_ports", shape.select_ports, 0, 64);
  expect_range("rank_ports", shape.rank_ports, 0, 64);
  select_ports_ = Ports(shape.select_ports, 1, hardware());
  rank_ports_ = Ports(shape.rank_ports, 1, hardware());
  for (unsigned i = 0; i < shape.entries; ++i) {
    nameable_ |= std::uint64_t{1} << (shape.first + i * shape.stride);
  }
  set_cycles(operation_cycles(0, structure().path));
}

void AgeOrder::append(Cycle cycle, unsigned index) {
  if (index >= kMaxEntries || (nameable_ >> index & 1U) == 0) {
    misuse(fmt::format("found entry {}, expected {} from {} on in steps of {}", index, shape_.entries,
                       shape_.first, shape_.stride));
  }
  const bool grouped = hardware() && shape_.form == AgeForm::kMatrix;
  if (!grouped || cycle != appended_at_) {
    use(append_port_, cycle, "append port");
    appended_at_ = cycle;
    appended_ = 0;
  }
  remove(index);
  ++activity_.writes;
  unsigned place = size_++;
  if (grouped) {
    for (; place > 0 && (appended_ >> order_[place - 1] & 1U) != 0 && order_[place - 1] > index; --place) {
      order_[place] = order_[place - 1];
    }
    appended_ |= std::uint64_t{1} << index;
  }
  order_[place] = static_cast<std::uint8_t>(index);
  present_ |= std::uint64_t{1} << index;
  if (wave_) show_order();
}

void AgeOrder::remove(unsigned index) {
  if (index >= kMaxEntries || (present_ >> index & 1U) == 0) return;
  ++activity_.writes;
  std::uint8_t* const place = std::find(order_.data(), order_.data() + size_, index);
  std::uint8_t* const last = order_.data() + --size_;
  std::memmove(place, place + 1, static_cast<std::size_t>(last - place));
  present_ &= ~(std::uint64_t{1} << index);
  appended_ &= ~(std::uint64_t{1} << index);
  if (wave_) show_order();
}

void AgeOrder::clear() {
  if (!shape_.clear) misuse("found clear(), expected a shape with a clear line");
  ++activity_.writes;
  size_ = 0;
  present_ = 0;
  appended_ = 0;
  if (wave_) show_order();
}

bool AgeOrder::exchange(AgeOrder& queue, std::uint64_t leave, unsigned capacity) {
  if (hardware()) expect_ideal("exchange()");
  leave &= present_;
  if (leave == 0 && (size_ == capacity || queue.size_ == 0)) return false;
  const unsigned size = size_;
  std::uint8_t* const behind = queue.order_.data() + queue.size_;
  unsigned left = 0;
  if (leave == present_) {
    move_places(behind, order_.data(), size);
    left = size;
  } else if (leave != 0) {
    // Each is written to both places and counts in one.
    for (unsigned i = 0; i < size; ++i) {
      const std::uint8_t entry = order_[i];
      behind[left] = entry;
      order_[i - left] = entry;
      left += static_cast<unsigned>(leave >> entry & 1U);
    }
  }
  const unsigned kept = size - left;
  const unsigned waiting = queue.size_ + left;
  const unsigned coming = std::min(capacity - kept, waiting);
  std::uint64_t came = 0;
  for (unsigned i = 0; i < coming; ++i) came |= std::uint64_t{1} << queue.order_[i];
  move_places(order_.data() + kept, queue.order_.data(), coming);
  if (coming != 0) move_places(queue.order_.data(), queue.order_.data() + coming, waiting - coming);
  size_ = kept + coming;
  queue.size_ = waiting - coming;
  present_ = (present_ & ~leave) | came;
  queue.present_ = (queue.present_ | leave) & ~came;
  activity_.writes += left + coming;
  queue.activity_.writes += left + coming;
  queue.activity_.selects += coming;
  if (wave_) show_order();
  if (queue.wave_) queue.show_order();
  return true;
}

void AgeOrder::rotate(unsigned count) {
  if (hardware()) expect_ideal("rotate()");
  std::array<std::uint8_t, kMaxEntries + kWordBytes> first;
  move_places(first.data(), order_.data(), count);
  if (count != 0) move_places(order_.data(), order_.data() + count, size_ - count);
  move_places(order_.data() + size_ - count, first.data(), count);
  activity_.writes += std::uint64_t{2} * count;
  if (wave_) show_order();
}

void AgeOrder::expect_ideal(const char* operation) const {
  if (hardware()) misuse(fmt::format("found {} in hardware timing, expected ideal timing", operation));
}

void AgeOrder::rearrange(const std::uint8_t* entries, unsigned count, std::uint64_t writes,
                         std::uint64_t selects) {
  expect_ideal("rearrange()");
  activity_.writes += writes;
  activity_.selects += selects;
  std::copy_n(entries, count, order_.begin());
  size_ = count;
  present_ = 0;
  for (unsigned i = 0; i < count; ++i) present_ |= std::uint64_t{1} << entries[i];
  if (wave_) show_order();
}

void AgeOrder::show_order() const {
  ++wave_->version;
  for (unsigned i = 0; i < shape_.entries; ++i) wave_->place[i] = i < size_ ? order_[i] : 0;
}

unsigned AgeOrder::rank(Cycle cycle, unsigned index) {
  if (shape_.rank_ports == 0) misuse("found rank(), expected a shape with rank_ports");
  use(rank_ports_, cycle, "rank ports");
  ++activity_.reads;
  unsigned place = 0;
  while (place < size_ && order_[place] != index) ++place;
  if (place == size_) misuse(fmt::format("found the rank of entry {} asked, which is not present", index));
  return place;
}

std::uint64_t AgeOrder::oldest_n(std::uint64_t mask, unsigned count) {
  if (!shape_.first_n) misuse("found oldest_n(), expected a shape with first_n");
  activity_.adds += size_;
  activity_.compares += size_;
  std::uint64_t found = 0;
  unsigned older = 0;
  for (unsigned i = 0; i < size_ && older < count; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << order_[i];
    if ((mask & bit) == 0) continue;
    found |= bit;
    ++older;
  }
  return found;
}

TimingPath AgeOrder::rank_path() const {
  TimingPath path;
  return path.through("row of the entry", gates::mux_fo4(shape_.entries, shape_.entries))
      .through("older ones counted", gates::popcount_fo4(shape_.entries));
}

Structure AgeOrder::structure() const {
  const unsigned n = shape_.entries;
  Structure row;
  row.storage = StorageKind::kFlipFlops;
  row.hidden_bits = n;  // who is present
  row.read_ports = shape_.rank_ports;
  row.write_ports = 1;
  row.selector_inputs = n;
  row.cycles_per_operation = cycles();
  if (shape_.form == AgeForm::kMatrix) {
    row.kind = "age matrix";
    row.entries = 1;
    row.bits_per_entry = n * (n - 1) / 2;
    // Appending sets the row and clears the column of each entry that comes.
    row.area.writes = gates::gate_row(2.0 * row.bits_per_entry) + gates::decoder(n);
    row.area.selection = shape_.select_ports * gates::age_select(n);
    row.path.through("no older request, encoded", gates::age_select_fo4(n));
    // A selection knows of each entry whether an older one is requested.
    if (shape_.passes_over) row.area.selection += shape_.select_ports * gates::gate_row(n);
    // Rank: the row of the entry, its set bits counted.
    row.area.read_muxes = shape_.rank_ports * gates::mux(n, n);
    row.area.adders = shape_.rank_ports * gates::popcount(n);
    if (shape_.first_n) {  // of every entry's row, in the mask
      row.comparators = n;
      row.comparator_bits = index_bits(n + 1);
      row.area.selection += gates::gate_row(static_cast<double>(n) * n);
      row.area.adders += n * gates::popcount(n);
      row.area.comparators = n * gates::comparator(row.comparator_bits);
    }
  } else {
    const unsigned width = index_bits(n);
    row.kind = "age list";
    row.entries = n;
    row.bits_per_entry = width;
    // Each place loads from its neighbour (removal) or the appended index.
    row.area.writes = 2 * gates::write_ports(n, width, 1);
    row.area.selection =
        shape_.select_ports * (n * gates::mux(n, 1) + gates::find_first(n) + gates::mux(n, width));
    row.path.through("request multiplexers", gates::mux_fo4(n, 1))
        .through("first request, encoded",
                 gates::find_first_fo4(n) + sized_only(gates::one_hot_mux_fo4(n)));  // and the entry there
    // Rank: the place that holds the index.
    row.area.comparators = shape_.rank_ports * n * gates::equality(width);
  }
  if (shape_.clear) row.area.writes += gates::gate_row(n);
  row.area.storage = gates::flip_flops(static_cast<double>(row.total_bits()));
  return row;
}

/// Bits of a mask of them.
unsigned AgeOrder::names() const { return shape_.first + (shape_.entries - 1) * shape_.stride + 1; }

void AgeOrder::trace_present(WaveSink& sink) const {
  const WaveScope scope(sink, name());
  sink.mask(present_, names(), "present");
}

void AgeOrder::trace(WaveSink& sink) const {
  trace_present(sink);
  if (!wave_) wave_ = std::make_unique<Wave>();
  show_order();
  const WaveScope scope(sink, name(), wave_->version);
  for (unsigned i = 0; i < shape_.entries; ++i) {
    sink.signal(wave_->place[i], index_bits(names()), fmt::format("place{}", i));
  }
}

}  // namespace heddle::hw
