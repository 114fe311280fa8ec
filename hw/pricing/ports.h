#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace heddle::hw {

/// A cycle of the clock that the owner of a part runs on.
using Cycle = std::uint64_t;

/// More was asked of a part in a cycle than its ports, comparators or adders can do. Thrown in strict mode
/// only; otherwise counted (Activity::port_conflicts).
class PortConflict : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// `count` like ports or units, each busy for `period` cycles per use. Uses are told in the order of time.
class Ports {
 public:
  Ports(unsigned count, unsigned period, bool checked)
      : checked_(checked), period_(std::max(period, 1U)), free_at_(count, 0) {}

  unsigned count() const { return static_cast<unsigned>(free_at_.size()); }
  unsigned period() const { return period_; }

  /// Takes a port at `cycle`; false when all of them are busy then. Always true when unchecked (ideal
  /// timing).
  bool use(Cycle cycle) {
    if (!checked_) return true;
    // All uses last equally long, so that the port taken longest ago is the first to be free again.
    if (free_at_.empty() || free_at_[next_] > cycle) return false;
    free_at_[next_] = cycle + period_;
    if (++next_ == free_at_.size()) next_ = 0;
    return true;
  }

  /// What is under way at `cycle`, or was to begin later, is given up: all ports are free again.
  void give_up(Cycle cycle) {
    for (Cycle& free_at : free_at_) free_at = std::min(free_at, cycle);
  }

 private:
  bool checked_;
  unsigned period_;
  std::size_t next_ = 0;
  std::vector<Cycle> free_at_;
};

}  // namespace heddle::hw
