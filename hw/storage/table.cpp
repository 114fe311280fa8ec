#include "hw/storage/table.h"

#include <algorithm>
#include <utility>

namespace heddle::hw {

namespace {

constexpr std::uint64_t kMaxArray = 1U << 20;  // entries that are indexed, without tags

}  // namespace

TableShape TableShape::direct(unsigned entries, std::vector<TableField> fields, unsigned tag_bits) {
  return set_associative(entries, 1, tag_bits, std::move(fields));
}

TableShape TableShape::set_associative(unsigned sets, unsigned ways, unsigned tag_bits,
                                       std::vector<TableField> fields) {
  TableShape shape;
  shape.sets = sets;
  shape.ways = ways;
  shape.tag_bits = tag_bits;
  shape.fields = std::move(fields);
  return shape;
}

TableShape TableShape::cam(unsigned entries, unsigned tag_bits, std::vector<TableField> fields) {
  return set_associative(1, entries, tag_bits, std::move(fields));
}

Table::Table(const Owner& owner, std::string_view name, TableShape shape, PaperCount paper)
    : Part(owner, name, paper),
      shape_(std::move(shape)),
      fields_(static_cast<unsigned>(shape_.fields.size())),
      lookup_ports_(0, 1, false),
      read_ports_(0, 1, false),
      write_ports_(0, 1, false) {
  expect_range("sets", shape_.sets, 1, shape_.tag_bits == 0 ? kMaxArray : 1024);
  expect_range("ways", shape_.ways, 1, 1024);
  expect_range("tag_bits", shape_.tag_bits, shape_.ways > 1 ? 1 : 0, 64);
  expect_range("lookup_ports", shape_.lookup_ports, 0, 64);
  expect_range("read_ports", shape_.read_ports, 0, 64);
  expect_range("write_ports", shape_.write_ports, 0, 64);
  for (const TableField& field : shape_.fields) expect_range(field.name.c_str(), field.bits, 1, 64);
  if (shape_.storage != StorageKind::kFlipFlops && shape_.storage != StorageKind::kRam) {
    misuse("found another storage, expected flip-flops or RAM");
  }
  valid_.assign(lines(), 0);
  tags_.assign(lines(), 0);
  values_.assign(std::size_t{lines()} * fields_, 0);
  rank_.resize(lines());
  for (unsigned line = 0; line < lines(); ++line) rank_[line] = line % shape_.ways;
  lookup_ports_ = Ports(shape_.lookup_ports, 1, hardware());
  read_ports_ = Ports(shape_.read_ports, 1, hardware());
  write_ports_ = Ports(shape_.write_ports, 1, hardware());
  read_claims_.resize(shape_.read_ports);
  write_claims_.resize(shape_.write_ports);
  set_cycles(operation_cycles(0, structure().path));
}

unsigned Table::lookup(Cycle cycle, unsigned set, std::uint64_t tag) {
  if (shape_.tag_bits == 0) misuse("found lookup(), expected a shape with tags");
  use(lookup_ports_, cycle, "lookup ports");
  ++activity_.reads;
  activity_.compares += shape_.ways;
  tag &= low_bits(shape_.tag_bits);
  const unsigned first = set * shape_.ways;
  const std::uint64_t* const tags = tags_.data() + first;
  for (unsigned way = 0; way < shape_.ways; ++way) {
    if (tags[way] == tag && valid_[first + way] != 0) return first + way;
  }
  return kNoLine;
}

void Table::touch(unsigned line) {
  if (shape_.replacement == Replacement::kFifo || shape_.ways == 1) return;
  const unsigned first = set_of(line) * shape_.ways;
  for (unsigned other = first; other < first + shape_.ways; ++other) {
    if (rank_[other] > rank_[line]) --rank_[other];
  }
  rank_[line] = shape_.ways - 1;
}

unsigned Table::victim(unsigned set) const {
  const unsigned first = set * shape_.ways;
  unsigned oldest = first;
  for (unsigned line = first; line < first + shape_.ways; ++line) {
    if (valid_[line] == 0) return line;
    if (rank_[line] < rank_[oldest]) oldest = line;
  }
  return oldest;
}

unsigned Table::insert(Cycle cycle, unsigned set, std::uint64_t tag) {
  const unsigned line = victim(set);
  insert_at(cycle, line, tag);
  return line;
}

void Table::insert_at(Cycle cycle, unsigned line, std::uint64_t tag) {
  if (!claim(write_claims_, next_write_, cycle, line).second) use(write_ports_, cycle, "write ports");
  ++activity_.writes;
  valid_[line] = 1;
  tags_[line] = tag & low_bits(shape_.tag_bits);
  std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(std::size_t{line} * fields_), fields_, 0);
  // The youngest of its set, under LRU as under FIFO.
  const unsigned first = set_of(line) * shape_.ways;
  for (unsigned other = first; other < first + shape_.ways; ++other) {
    if (rank_[other] > rank_[line]) --rank_[other];
  }
  rank_[line] = shape_.ways - 1;
}

void Table::invalidate(unsigned line) {
  ++activity_.writes;
  valid_[line] = 0;
}

void Table::clear() {
  ++activity_.writes;
  std::fill(valid_.begin(), valid_.end(), 0);
}

std::pair<Table::Claim*, bool> Table::claim(std::vector<Claim>& claims, std::size_t& next, Cycle cycle,
                                            unsigned line) {
  for (Claim& held : claims) {
    if (held.cycle == cycle && held.line == line) return {&held, true};
  }
  if (claims.empty()) return {nullptr, false};
  Claim& own = claims[next];
  own = {cycle, line, 0};
  next = next + 1 == claims.size() ? 0 : next + 1;
  return {&own, false};
}

std::uint64_t Table::read(Cycle cycle, unsigned line, unsigned field) {
  if (!claim(read_claims_, next_read_, cycle, line).second) {
    use(read_ports_, cycle, "read ports");
    ++activity_.reads;
  }
  return values_[line * fields_ + field];
}

void Table::write(Cycle cycle, unsigned line, unsigned field, std::uint64_t value) {
  const auto [own, held] = claim(write_claims_, next_write_, cycle, line);
  if (!held) {
    use(write_ports_, cycle, "write ports");
    ++activity_.writes;
  }
  if (own != nullptr) {
    const std::uint64_t bit = std::uint64_t{1} << field;
    if (hardware() && (own->written & bit) != 0) conflict(cycle, "field, which was written before");
    own->written |= bit;
  }
  const Sum kept = fit_bits(value, shape_.fields[field].bits, shape_.fields[field].overflow);
  activity_.overflows += kept.overflowed;
  values_[line * fields_ + field] = kept.value;
}

}  // namespace heddle::hw
