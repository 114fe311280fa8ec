#pragma once

#include <cstdint>
#include <vector>

#include "modules/config/gpu_config.h"
#include "modules/messages/tick_order.h"
#include "tlm/clock_domain.h"

namespace heddle {

/// The way from the execution units of an SM to write-back: `width` results per cycle. A unit reserves a slot
/// for the cycle of its result when the instruction starts (gtx480.md, "SM pipeline"). Each unit has one
/// result port, which carries one result per cycle.
class ResultBus {
 public:
  /// Looks ahead as far as the longest latency of `config` needs. Throws std::invalid_argument when the
  /// width is 0.
  explicit ResultBus(const ExecutionConfig& config);

  static constexpr unsigned kMaxPorts = tick_order::kMaxExecutionUnits;
  /// Gives `port` to a unit. Throws std::invalid_argument when it is not below kMaxPorts, or another unit's.
  void claim(unsigned port);

  enum class Reservation : std::uint8_t { kDone, kPortTaken, kBusTaken };
  /// Takes a slot of `cycle` for `port`, if there is one. `cycle` lies less than horizon() cycles after the
  /// oldest cycle that is still asked for.
  Reservation reserve(Cycle cycle, unsigned port) {
    Slot& slot = slots_[cycle & mask_];
    const auto lap = static_cast<std::uint32_t>(cycle >> shift_);
    if (slot.lap != lap) slot = {lap, 0};
    if ((slot.ports >> port & 1U) != 0) return Reservation::kPortTaken;
    if (static_cast<unsigned>(__builtin_popcount(slot.ports)) == width_) return Reservation::kBusTaken;
    slot.ports |= 1U << port;
    return Reservation::kDone;
  }
  /// `port` has a result in `cycle`, which lies less than horizon() cycles back.
  bool carries(Cycle cycle, unsigned port) const {
    const Slot& slot = slots_[cycle & mask_];
    return slot.lap == static_cast<std::uint32_t>(cycle >> shift_) && (slot.ports >> port & 1U) != 0;
  }

  Cycle horizon() const { return mask_ + 1; }
  unsigned width() const { return width_; }

 private:
  /// Small, since a few neighbouring ones are used at a time.
  struct Slot {
    std::uint32_t lap = 0;    ///< of the cycle that it stands for: cycle / horizon()
    std::uint32_t ports = 0;  ///< bit p: port p has a result in that cycle
  };

  unsigned width_;
  Cycle mask_;
  unsigned shift_ = 0;
  std::uint32_t claimed_ = 0;  ///< bit p: port p is a unit's
  std::vector<Slot> slots_;
};

}  // namespace heddle
