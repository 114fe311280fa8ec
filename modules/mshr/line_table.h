#pragma once

#include <cstdint>
#include <vector>

#include "base/id.h"

namespace heddle {

/// One of the MSHR's entries.
using MshrEntryId = Id<struct MshrEntryTag>;

/// Line address -> MSHR entry, at most `capacity` at a time: open addressing at a load of at most one
/// half, so a lookup is a compare or two.
class LineTable {
 public:
  static constexpr MshrEntryId kNone{~0U};

  explicit LineTable(unsigned capacity);

  /// The entry of `line`, or kNone.
  MshrEntryId find(std::uint64_t line) const {
    for (unsigned slot = home(line); slots_[slot].entry != kNone; slot = next(slot)) {
      if (slots_[slot].line == line) return slots_[slot].entry;
    }
    return kNone;
  }
  /// Requires that `line` is absent and fewer than `capacity` lines are held.
  void insert(std::uint64_t line, MshrEntryId entry);
  /// Requires that `line` is present.
  void erase(std::uint64_t line);

 private:
  struct Slot {
    std::uint64_t line = 0;
    MshrEntryId entry = kNone;
  };
  unsigned home(std::uint64_t line) const {
    constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;  // Fibonacci hashing: 2^64 / golden ratio
    return static_cast<unsigned>(line * kGolden >> shift_);
  }
  unsigned next(unsigned slot) const { return (slot + 1) & mask_; }

  std::vector<Slot> slots_;
  unsigned shift_;
  unsigned mask_;
};

}  // namespace heddle
