#include <algorithm>

#include "modules/tb_dispatcher/dispatch_policy.h"

namespace heddle {
namespace {

/// Just-in-time MPMax (SRTF 5.2.2): each running kernel sets aside, on every SM, room for one TB of each
/// other running kernel (scheduler-details.md, "SRTF"); what it may hold itself follows. Kernels in the order
/// of their arrival, the next when one is at its limit or does not fit. What was set aside is taken back when
/// the others end.
class MpMax final : public DispatchPolicy {
 public:
  explicit MpMax(const DispatchContext& context) : core_(context.core), limits_(context.config.max_kernels) {}

  LaunchRecord* select(const DispatchView& view, unsigned sm) override {
    for (const auto& launch : view.launches()) {
      if (launch->resident[sm] < limits_[launch->kernel_slot] && view.can_start(*launch, sm))
        return launch.get();
    }
    return nullptr;
  }

  void on_launch(const DispatchView& view, const LaunchRecord& /*launch*/) override { set_limits(view); }
  void on_end(const DispatchView& view, const LaunchRecord& /*launch*/) override { set_limits(view); }

 private:
  void set_limits(const DispatchView& view) {
    for (const auto& launch : view.launches()) {
      SmResources free(core_);
      for (const auto& other : view.launches()) {
        if (other == launch) continue;
        if (!free.fits(other->occupancy.demand)) refuse(view, *launch);
        free.take(other->occupancy.demand);
      }
      unsigned limit = 0;
      while (limit < launch->occupancy.resident_limit && free.fits(launch->occupancy.demand)) {
        free.take(launch->occupancy.demand);
        ++limit;
      }
      if (limit == 0) refuse(view, *launch);
      limits_[launch->kernel_slot] = limit;
    }
  }
  [[noreturn]] static void refuse(const DispatchView& view, const LaunchRecord& launch) {
    std::string others;
    for (const auto& other : view.launches()) {
      if (other.get() != &launch)
        others += (others.empty() ? "'" : ", '") + other->launch->program().name + "'";
    }
    throw DispatchError("tb_dispatcher.policy mpmax: kernel '" + launch.launch->program().name + "' and " +
                        others + " can never run together: an SM has no room for a thread block of each");
  }

  const CoreConfig& core_;
  std::vector<unsigned> limits_;  ///< TBs per SM, by kernel slot
};

std::unique_ptr<DispatchPolicy> create(const DispatchContext& context) {
  return std::make_unique<MpMax>(context);
}

}  // namespace

extern const DispatchPolicyEntry mpmax_entry;
const DispatchPolicyEntry mpmax_entry{
    "mpmax", "each kernel sets aside room for a thread block of every other running one (just-in-time MPMax)",
    true, &create};

}  // namespace heddle
