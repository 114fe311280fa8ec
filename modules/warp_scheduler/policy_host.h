#pragma once

#include "workloads/launch/instruction.h"

namespace heddle {

/// What a policy may ask of the SM that it works in, beyond the WarpTable.
class PolicyHost {
 public:
  virtual ~PolicyHost() = default;
  /// Lanes on the path of the warp's next instruction, whatever its guard predicate says. For resident warps
  /// that have not finished.
  virtual LaneMask next_lanes(unsigned warp) const = 0;
  /// PC of the warp's next instruction, as IssueEvent::pc. For the same warps.
  virtual std::uint64_t next_pc(unsigned warp) const = 0;
};

}  // namespace heddle
