#pragma once

#include "modules/warp_scheduler/policy.h"

namespace heddle {

/// Says which of the ready warps may issue at all: the first half of a warp scheduler.
class Qualifier : public SchedulingPolicy {
 public:
  /// The subset of `issuable` that may issue now.
  virtual WarpMask qualify(WarpMask issuable) = 0;
};

}  // namespace heddle
