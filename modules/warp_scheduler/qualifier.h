#pragma once

#include "hw/pricing/gates.h"
#include "modules/warp_scheduler/policy.h"

namespace heddle {

/// Says which of the ready warps may issue at all: the first half of a warp scheduler.
class Qualifier : public SchedulingPolicy {
 public:
  /// The subset of `issuable` that may issue in `cycle`. `issuable` is not empty; each warp in it has a valid
  /// instruction that passed the scoreboard and whose unit has a free slot.
  virtual WarpMask qualify(std::uint64_t cycle, WarpMask issuable) = 0;
  /// The logic of qualify(), in front of the prioritizer's; by default a mask that is a register.
  virtual hw::TimingPath qualify_path() const;
};

inline hw::TimingPath Qualifier::qualify_path() const {
  return hw::TimingPath().through("held back", hw::gates::kGateFo4);
}

}  // namespace heddle
