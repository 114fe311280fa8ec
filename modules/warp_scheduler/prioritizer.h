#pragma once

#include "modules/warp_scheduler/policy.h"

namespace heddle {

/// Orders the warps that may issue: the second half of a warp scheduler (design: qualifier + prioritizer).
class Prioritizer : public SchedulingPolicy {
 public:
  /// The warp to issue, one of `issuable` (not empty): each has a valid instruction that passed the
  /// scoreboard and the qualifier, and its unit has a free slot, or its I-buffer is stale: the scheduler
  /// comes to it, empties the buffer and asks again without it. Changes nothing. kNoWarp leaves the cycle
  /// unused.
  virtual unsigned select(WarpMask issuable) = 0;

  /// select() found none that it wanted among the warps offered, while the qualifier held back `held`, which
  /// could issue else. A prioritizer that wants some of these only has to want others, or nobody would ever
  /// issue. Returns true when it wants others from the next cycle on, in which the scheduler then runs.
  virtual bool pass_over(WarpMask /*held*/) { return false; }
};

}  // namespace heddle
