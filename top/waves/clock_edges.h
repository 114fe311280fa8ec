#pragma once

#include <cstdint>

#include "base/ticks.h"
#include "top/waves/time_line.h"

namespace heddle {

/// `time` of the simulation in units of a VCD file's, rounded down.
inline std::uint64_t file_time(Ticks time, Ticks core_period) {
  return time / core_period * kUnitsPerCycle + time % core_period * kUnitsPerCycle / core_period;
}

/// An edge of a clock in units of a VCD file's time, and from there the next one without a division.
class ClockEdges {
 public:
  ClockEdges() = default;
  /// Edge `number` of a clock of `period`.
  ClockEdges(Ticks period, Ticks core_period, std::uint64_t number)
      : core_period_(core_period),
        units_(file_time(number * period, core_period)),
        rest_(rest_of(number * period)),
        step_(file_time(period, core_period)),
        step_rest_(rest_of(period)) {}

  std::uint64_t units() const { return units_; }
  /// Goes on to the next edge, if `on`, and returns the middle between the two; otherwise the edge.
  std::uint64_t advance(bool on) {
    const std::uint64_t all = on ? ~std::uint64_t{0} : 0;
    const std::uint64_t last = units_;
    rest_ += step_rest_ & all;
    const std::uint64_t carry = rest_ >= core_period_ ? 1 : 0;
    rest_ -= core_period_ & (0 - carry);
    units_ += (step_ & all) + carry;
    return (last + units_) / 2;
  }

 private:
  /// What file_time() rounds off, in fractions of a unit.
  Ticks rest_of(Ticks time) const { return time % core_period_ * kUnitsPerCycle % core_period_; }

  Ticks core_period_ = 1;
  std::uint64_t units_ = 0;
  Ticks rest_ = 0;
  std::uint64_t step_ = 0;
  Ticks step_rest_ = 0;
};

}  // namespace heddle
