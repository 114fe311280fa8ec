#pragma once

#include <array>
#include <cstdint>

#include "modules/messages/ids.h"
#include "modules/messages/warp_mask.h"

namespace heddle {

/// The named barriers of one thread block. A barrier is met when the warps that it counts have arrived;
/// warps that exit leave the count of barriers that wait for all (gtx480.md, "SM pipeline").
class BarrierSet {
 public:
  static constexpr unsigned kBarriers = 16;
  static constexpr unsigned kNone = kBarriers;

  /// All barriers empty; `warps` warps take part.
  void reset(unsigned warps);
  /// `warp` waits at `barrier` until `expected` warps do; 0 means all that have not exited.
  void arrive(unsigned barrier, WarpSlot warp, unsigned expected);
  void warp_exited() { --live_warps_; }

  /// The lowest barrier that is met, emptied, with the slots of its warps; kNone when there is none.
  unsigned take_met(WarpMask& released);

  WarpMask waiting_at(unsigned barrier) const { return barriers_[barrier].arrived; }
  /// Number of warps that `barrier` waits for altogether.
  unsigned expected_at(unsigned barrier) const {
    return barriers_[barrier].expected == 0 ? live_warps_ : barriers_[barrier].expected;
  }

 private:
  struct Barrier {
    WarpMask arrived = 0;
    unsigned expected = 0;
  };

  std::array<Barrier, kBarriers> barriers_{};
  std::uint32_t in_use_ = 0;  ///< bit b: a warp waits at barrier b
  unsigned live_warps_ = 0;
};

}  // namespace heddle
