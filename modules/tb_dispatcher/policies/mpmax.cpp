#include <string>

#include "modules/tb_dispatcher/residency_limits.h"

namespace heddle {
namespace {

/// Just-in-time MPMax (SRTF 5.2.2): each running kernel sets aside, on every SM, room for one TB of each
/// other running kernel (scheduler-details.md, "SRTF"); what it may hold itself follows. What was set aside
/// is taken back when the others end.
class MpMax final : public ResidencyLimits {
 public:
  using ResidencyLimits::ResidencyLimits;

 private:
  unsigned limit_of(const DispatchView& view, const LaunchRecord& launch) const override {
    SmResources free(core());
    for (const auto& other : view.launches()) {
      if (other.get() == &launch) continue;
      if (!free.fits(other->occupancy.demand)) refuse(view, launch);
      free.take(other->occupancy.demand);
    }
    const unsigned limit = fitting(launch, free);
    if (limit == 0) refuse(view, launch);
    return limit;
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
