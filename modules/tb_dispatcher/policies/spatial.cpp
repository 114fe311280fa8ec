#include <algorithm>

#include "modules/tb_dispatcher/dispatch_policy.h"

namespace heddle {
namespace {

/// Spatial partition (iPAWS 4.3, "pCKE"): the SMs are split evenly between the running kernels, in the order
/// of their arrival; each SM holds thread blocks of one kernel only. When kernels come or go the split is
/// drawn anew, and an SM takes its new kernel when it has drained. An SM whose kernel has no more thread
/// blocks waiting goes to the next kernel that has. A small grid is spread over the kernel's own SMs.
class Spatial final : public DispatchPolicy {
 public:
  explicit Spatial(const DispatchContext& context) : sms_(context.core.sms) {}

  LaunchRecord* select(const DispatchView& view, unsigned sm) override {
    const DispatchView::Launches& launches = view.launches();
    const std::size_t count = launches.size();
    const std::size_t own = owner(count, sm);
    for (std::size_t step = 0; step < count; ++step) {
      LaunchRecord& launch = *launches[(own + step) % count];
      if (launch.tbs_waiting() == 0) continue;
      return alone_on(view, launch, sm) && view.can_start(launch, sm) ? &launch : nullptr;
    }
    return nullptr;
  }

  unsigned sms_of(const DispatchView& view, const LaunchRecord& launch, unsigned sms) const override {
    const DispatchView::Launches& launches = view.launches();
    unsigned own = 0;
    for (unsigned sm = 0; sm < sms; ++sm) own += launches[owner(launches.size(), sm)].get() == &launch;
    return std::max(own, 1U);
  }

 private:
  /// Of `count` kernels, with more kernels than SMs only the first ones have any. Kernel k has the SMs from
  /// k * SMs / count, rounded up, to the next one's.
  std::size_t owner(std::size_t count, unsigned sm) const {
    return count == 0 ? 0 : count > sms_ ? sm : sm * count / sms_;
  }
  static bool alone_on(const DispatchView& view, const LaunchRecord& launch, unsigned sm) {
    for (const auto& other : view.launches()) {
      if (other.get() != &launch && other->resident[sm] != 0) return false;
    }
    return true;
  }

  unsigned sms_;
};

std::unique_ptr<DispatchPolicy> create_spatial(const DispatchContext& context) {
  return std::make_unique<Spatial>(context);
}

}  // namespace

extern const DispatchPolicyEntry spatial_entry;
const DispatchPolicyEntry spatial_entry{"spatial", "the SMs are split evenly between the running kernels",
                                        false, &create_spatial};

}  // namespace heddle
