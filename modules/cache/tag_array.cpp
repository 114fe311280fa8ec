#include "modules/cache/tag_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/power_of_two.h"
#include "modules/messages/memory_request.h"

namespace heddle {

namespace {

constexpr unsigned kMaxSectors = 8;  // bits of a SectorMask

void check(const CacheConfig& config) {
  if (!power_of_two(config.sets)) {
    throw std::invalid_argument(fmt::format("a cache needs a power of two of sets, not {}", config.sets));
  }
  if (config.ways == 0) throw std::invalid_argument("a cache needs at least one way");
  if (!power_of_two(config.line_bytes) || config.line_bytes > kMaxSectors * kSectorBytes) {
    throw std::invalid_argument(fmt::format("a cache line must be a power of two of bytes up to {}, not {}",
                                            kMaxSectors * kSectorBytes, config.line_bytes));
  }
}

SectorMask sectors_of_line(unsigned line_bytes) {
  const unsigned sectors = std::max(line_bytes / kSectorBytes, 1U);
  return static_cast<SectorMask>((1U << sectors) - 1);
}

}  // namespace

TagArray::TagArray(const CacheConfig& config)
    : sets_((check(config), config.sets)),
      ways_(config.ways),
      line_bytes_(config.line_bytes),
      line_offset_mask_(config.line_bytes - 1),
      hashed_(config.set_index == SetIndex::kHashed),
      all_sectors_(sectors_of_line(config.line_bytes)),
      tags_(std::size_t{config.sets} * config.ways, kNoTag),
      lines_(std::size_t{config.sets} * config.ways),
      order_(std::size_t{config.sets} * config.ways),
      used_(std::size_t{config.sets} * config.ways) {
  while ((1U << line_shift_) < line_bytes_) ++line_shift_;
}

std::uint64_t TagArray::bytes_of(const CacheConfig& config) {
  constexpr std::uint64_t kBytesOfLine = 3 * sizeof(std::uint64_t) + sizeof(Line);
  return std::uint64_t{config.sets} * config.ways * kBytesOfLine;
}

unsigned TagArray::victim(unsigned set) const {
  const unsigned first = set * ways_;
  unsigned victim = first;
  for (unsigned i = first + 1; i < first + ways_; ++i) {
    if (order_[i] < order_[victim]) victim = i;
  }
  return order_[victim] == kKept ? kNoLine : victim;
}

Eviction TagArray::give(unsigned index, std::uint64_t address) {
  const std::uint64_t tag = line_address(address);
  if (tags_[index] == tag) return {};
  Line& line = lines_[index];
  Eviction evicted;
  if (line.state != LineState::kInvalid) evicted = {tags_[index], line.valid, line.dirty, line.filler};
  if (line.state == LineState::kReserved) --reserved_lines_;
  line = Line();
  order_[index] = 0;
  tags_[index] = tag;
  return evicted;
}

void TagArray::set_state(unsigned index) {
  Line& line = lines_[index];
  const bool was_reserved = line.state == LineState::kReserved;
  if (line.pending != 0) {
    line.state = LineState::kReserved;
    if (!was_reserved) ++reserved_lines_;
    order_[index] = kKept;
    return;
  }
  if (was_reserved) {
    --reserved_lines_;
    order_[index] = used_[index];
  }
  line.state = line.dirty != 0 ? LineState::kModified : LineState::kValid;
}

Eviction TagArray::reserve(unsigned index, std::uint64_t address, SectorMask sectors) {
  const Eviction evicted = give(index, address);
  Line& line = lines_[index];
  line.pending = static_cast<SectorMask>(line.pending | sectors);
  set_state(index);
  touch(index);
  return evicted;
}

Eviction TagArray::fill(unsigned index, std::uint64_t address, SectorMask sectors) {
  const bool given = tags_[index] != line_address(address);
  const Eviction evicted = give(index, address);
  Line& line = lines_[index];
  line.valid = static_cast<SectorMask>(line.valid | sectors);
  line.pending = static_cast<SectorMask>(line.pending & ~sectors);
  set_state(index);
  if (given) touch(index);
  return evicted;
}

Eviction TagArray::write(unsigned index, std::uint64_t address, SectorMask sectors) {
  const Eviction evicted = give(index, address);
  Line& line = lines_[index];
  line.valid = static_cast<SectorMask>(line.valid | sectors);
  line.dirty = static_cast<SectorMask>(line.dirty | sectors);
  set_state(index);
  touch(index);
  return evicted;
}

void TagArray::invalidate(unsigned index) {
  if (lines_[index].state == LineState::kReserved) --reserved_lines_;
  lines_[index] = Line();
  order_[index] = 0;
  tags_[index] = kNoTag;
}

void TagArray::flush() {
  for (unsigned i = 0; i < lines_.size(); ++i) {
    if (lines_[i].state != LineState::kReserved) invalidate(i);
  }
}

}  // namespace heddle
