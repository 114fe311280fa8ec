#pragma once

#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// WarpTable::l1d_loads(), which looks at a warp's next instruction once: that changes only when the warp
/// issues, or another one has its slot.
class KnownLoads {
 public:
  /// The warp issues or starts.
  void forget(unsigned warp) { known_ &= ~warp_bit(warp); }
  /// Of `among`, which must be valid.
  WarpMask of(const WarpTable& table, WarpMask among) {
    const WarpMask unknown = among & ~known_;
    if (unknown != 0) {
      loads_ = (loads_ & ~unknown) | table.l1d_loads(unknown);
      known_ |= unknown;
    }
    return among & loads_;
  }

 private:
  WarpMask known_ = 0;
  WarpMask loads_ = 0;
};

}  // namespace heddle
