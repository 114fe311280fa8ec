#include "modules/mshr/line_table.h"

namespace heddle {

namespace {

unsigned bits_for(unsigned capacity) {
  unsigned bits = 1;
  while ((1U << bits) < 2 * capacity) ++bits;
  return bits;
}

}  // namespace

LineTable::LineTable(unsigned capacity)
    : slots_(std::size_t{1} << bits_for(capacity)),
      shift_(64 - bits_for(capacity)),
      mask_(static_cast<unsigned>(slots_.size()) - 1) {}

void LineTable::insert(std::uint64_t line, MshrEntryId entry) {
  unsigned slot = home(line);
  while (slots_[slot].entry != kNone) slot = next(slot);
  slots_[slot] = {line, entry};
}

void LineTable::erase(std::uint64_t line) {
  unsigned hole = home(line);
  while (slots_[hole].line != line || slots_[hole].entry == kNone) hole = next(hole);
  // Close the gap: move back every later slot of the run that may not stand behind a hole.
  for (unsigned slot = next(hole); slots_[slot].entry != kNone; slot = next(slot)) {
    const unsigned distance_from_home = (slot - home(slots_[slot].line)) & mask_;
    const unsigned distance_from_hole = (slot - hole) & mask_;
    if (distance_from_home < distance_from_hole) continue;
    slots_[hole] = slots_[slot];
    hole = slot;
  }
  slots_[hole].entry = kNone;
}

}  // namespace heddle
