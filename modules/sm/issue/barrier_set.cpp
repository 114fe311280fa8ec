#include "modules/sm/issue/barrier_set.h"

namespace heddle {

void BarrierSet::reset(unsigned warps) {
  barriers_.fill({});
  in_use_ = 0;
  live_warps_ = warps;
}

void BarrierSet::arrive(unsigned barrier, WarpSlot warp, unsigned expected) {
  barriers_[barrier].arrived |= warp_bit(warp.value());
  barriers_[barrier].expected = expected;
  in_use_ |= 1U << barrier;
}

unsigned BarrierSet::take_met(WarpMask& released) {
  for (std::uint32_t used = in_use_; used != 0; used &= used - 1) {
    const auto b = static_cast<unsigned>(__builtin_ctz(used));
    Barrier& barrier = barriers_[b];
    if (static_cast<unsigned>(__builtin_popcountll(barrier.arrived)) < expected_at(b)) continue;
    released = barrier.arrived;
    barrier = {};
    in_use_ &= ~(1U << b);
    return b;
  }
  return kNone;
}

}  // namespace heddle
