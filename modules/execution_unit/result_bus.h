#pragma once

#include <cstdint>
#include <vector>

#include "modules/gpu_config.h"
#include "tlm/clock_domain.h"

namespace heddle {

/// The way from the execution units of an SM to write-back: `width` results per cycle. A unit reserves a slot
/// for the cycle of its result when the instruction starts (gtx480.md, "SM pipeline").
class ResultBus {
 public:
  /// Looks ahead as far as the longest latency of `config` needs. Throws std::invalid_argument when the
  /// width is 0.
  explicit ResultBus(const ExecutionConfig& config);

  /// Takes a slot of `cycle`, if there is one. `cycle` lies less than horizon() cycles after the oldest cycle
  /// that anybody still asks for.
  bool reserve(Cycle cycle) {
    Slot& slot = slots_[cycle & mask_];
    const auto lap = static_cast<std::uint32_t>(cycle >> shift_);
    if (slot.lap != lap) slot = {lap, 0};
    if (slot.used == width_) return false;
    ++slot.used;
    return true;
  }

  Cycle horizon() const { return mask_ + 1; }
  unsigned width() const { return width_; }

 private:
  /// Small, since a few neighbouring ones are used at a time.
  struct Slot {
    std::uint32_t lap = 0;  ///< of the cycle that it stands for: cycle / horizon()
    std::uint32_t used = 0;
  };

  unsigned width_;
  Cycle mask_;
  unsigned shift_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace heddle
