#pragma once

#include <vector>

#include "modules/warp_instruction.h"

namespace heddle {

/// The results that an execution unit has under way, by the cycle of their completion: its result port
/// carries one per cycle. They lie together in that order, as new ones mostly come last.
class ResultsInFlight {
 public:
  bool empty() const { return first_ == entries_.size(); }
  std::size_t size() const { return entries_.size() - first_; }
  /// The cycle of the first; requires that there is one.
  Cycle next_due() const { return entries_[first_].due; }

  static constexpr std::size_t kTaken = ~std::size_t{0};
  /// Where a result due at `due` comes to lie; kTaken when there is one of that cycle.
  std::size_t place_of(Cycle due) const {
    std::size_t place = entries_.size();
    while (place != first_ && entries_[place - 1].due > due) --place;
    return place != first_ && entries_[place - 1].due == due ? kTaken : place;
  }
  /// Enters it there.
  void insert(std::size_t place, WarpInstruction& instruction, Cycle due) {
    if (place == entries_.size()) {
      entries_.push_back({due, &instruction});
    } else {
      entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(place), {due, &instruction});
    }
  }

  WarpInstruction& pop() {
    WarpInstruction& instruction = *entries_[first_++].instruction;
    if (first_ == entries_.size()) {
      entries_.clear();
      first_ = 0;
    } else if (first_ == kSlack) {
      entries_.erase(entries_.begin(), entries_.begin() + kSlack);
      first_ = 0;
    }
    return instruction;
  }

 private:
  struct Entry {
    Cycle due;
    WarpInstruction* instruction;
  };
  static constexpr std::size_t kSlack = 8;  ///< entries left behind before the others move up

  std::vector<Entry> entries_;
  std::size_t first_ = 0;
};

}  // namespace heddle
