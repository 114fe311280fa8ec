#pragma once

#include "modules/warp_scheduler/policy_events.h"

namespace heddle {

/// The TBs whose warps a policy is for, where several policies share the warps of an SM out.
class ServedTbs {
 public:
  ServedTbs() = default;
  virtual ~ServedTbs() = default;
  ServedTbs(const ServedTbs&) = delete;
  ServedTbs& operator=(const ServedTbs&) = delete;

  /// To be asked from the start of the TB in this slot on.
  virtual bool has_tb(unsigned slot) const = 0;
};

/// The warp slots whose warp, or last warp, is one that a policy is for: of what happens to the others a
/// policy that limits warps takes no notice.
class ServedWarps {
 public:
  /// Without a share the policy is for all warps.
  explicit ServedWarps(const ServedTbs* share) : share_(share), warps_(share == nullptr ? ~WarpMask{0} : 0) {}

  /// Whether the policy is for this warp, which starts.
  bool start(const WarpEvent& event) {
    if (share_ == nullptr) return true;
    const bool is_served = share_->has_tb(event.tb_slot);
    warps_ = is_served ? warps_ | warp_bit(event.warp) : warps_ & ~warp_bit(event.warp);
    return is_served;
  }
  bool has(unsigned warp) const { return (warps_ >> warp & 1U) != 0; }
  WarpMask of(WarpMask warps) const { return warps & warps_; }

 private:
  const ServedTbs* share_;
  WarpMask warps_;
};

}  // namespace heddle
