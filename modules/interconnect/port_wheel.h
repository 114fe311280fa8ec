#pragma once

#include <algorithm>
#include <array>

#include "modules/interconnect/port_set.h"
#include "tlm/clock_domain.h"

namespace heddle {

/// Which ports have something due at which cycle: a calendar of 64 cycles. A port further away than that is
/// due early, so users look at the true time when a port comes due.
class PortWheel {
 public:
  static constexpr Cycle kNever = ~Cycle{0};

  explicit PortWheel(unsigned ports) {
    for (PortSet& slot : slots_) slot = PortSet(ports);
  }

  /// `when` > `now`, the cycle being processed.
  void add(unsigned port, Cycle when, Cycle now) {
    const auto slot = static_cast<unsigned>(std::min(when, now + kSlots - 1) % kSlots);
    slots_[slot].set(port);
    used_ |= PortSet::bit(slot);
  }

  bool due(Cycle now) const { return (used_ & PortSet::bit(static_cast<unsigned>(now % kSlots))) != 0; }
  /// Calls visit(port) for all that are due at `now`; visit may add().
  template <class Visit>
  void collect(Cycle now, Visit&& visit) {
    if (!due(now)) return;
    const auto slot = static_cast<unsigned>(now % kSlots);
    used_ &= ~PortSet::bit(slot);
    PortSet& due = slots_[slot];
    due.for_each([&](unsigned port) {
      due.clear(port);
      visit(port);
    });
  }

  /// The first cycle after `now` at which a port is due, or kNever.
  Cycle next(Cycle now) const {
    if (used_ == 0) return kNever;
    const auto shift = static_cast<unsigned>((now + 1) % kSlots);
    const std::uint64_t rotated = shift == 0 ? used_ : (used_ >> shift | used_ << (kSlots - shift));
    return now + 1 + static_cast<unsigned>(__builtin_ctzll(rotated));
  }

 private:
  static constexpr unsigned kSlots = 64;
  std::array<PortSet, kSlots> slots_;
  std::uint64_t used_ = 0;  ///< bit s: slots_[s] is not empty
};

}  // namespace heddle
