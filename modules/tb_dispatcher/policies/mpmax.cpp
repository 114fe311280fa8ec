#include <algorithm>

#include "modules/tb_dispatcher/residency_limits.h"

namespace heddle {
namespace {

/// Just-in-time MPMax (SRTF 5.2.2): each running kernel sets aside, on every SM, room for one TB of each
/// other running kernel (scheduler-details.md, "SRTF"); what it may hold itself follows. What was set aside
/// is taken back when the others end. A kernel of which no TB fits beside one of its own and what it sets
/// aside for kernels that came earlier is left out: the two run one after the other.
class MpMax final : public ResidencyLimits {
 public:
  using ResidencyLimits::ResidencyLimits;

 private:
  unsigned limit_of(const DispatchView& view, const LaunchRecord& launch) const override {
    SmResources free(core());
    free.take(launch.occupancy.demand);
    for (const auto& other : view.launches()) {
      if (other.get() != &launch && free.fits(other->occupancy.demand)) free.take(other->occupancy.demand);
    }
    return std::min(1 + fitting(launch, free), launch.occupancy.resident_limit);
  }
};

std::unique_ptr<DispatchPolicy> create_mpmax(const DispatchContext& context) {
  return std::make_unique<MpMax>(context);
}

}  // namespace

extern const DispatchPolicyEntry mpmax_entry;
const DispatchPolicyEntry mpmax_entry{
    "mpmax", "each kernel sets aside room for a thread block of every other running one (just-in-time MPMax)",
    true, &create_mpmax};

}  // namespace heddle
