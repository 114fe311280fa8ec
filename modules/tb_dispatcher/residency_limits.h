#pragma once

#include <vector>

#include "modules/tb_dispatcher/dispatch_policy.h"

namespace heddle {

/// A policy that limits the TBs of every running kernel on an SM, and works the limits out anew when a kernel
/// comes or ends. It takes kernels in the order of their arrival, the next one when one is at its limit or
/// does not fit.
class ResidencyLimits : public DispatchPolicy {
 public:
  explicit ResidencyLimits(const DispatchContext& context)
      : core_(context.core), limits_(context.config.max_kernels) {}

  LaunchRecord* select(const DispatchView& view, unsigned sm) override;
  void on_launch(const DispatchView& view, const LaunchRecord& launch) override;
  void on_end(const DispatchView& view, const LaunchRecord& launch) override;

 protected:
  const CoreConfig& core() const { return core_; }
  /// TBs of `launch` that an SM may hold beside the others of `view`, at least 1: where there is no room for
  /// it beside those that the SM holds, it waits until there is.
  virtual unsigned limit_of(const DispatchView& view, const LaunchRecord& launch) const = 0;
  /// Whether the SM may take another TB of `launch`, which is below its limit there.
  virtual bool may_take(const DispatchView& /*view*/, const LaunchRecord& /*launch*/, unsigned /*sm*/) const {
    return true;
  }
  /// TBs of `launch` that fit into `free`, its residency limit at most.
  static unsigned fitting(const LaunchRecord& launch, SmResources free);

 private:
  void set_limits(const DispatchView& view);

  const CoreConfig& core_;
  std::vector<unsigned> limits_;  ///< by kernel slot
};

}  // namespace heddle
