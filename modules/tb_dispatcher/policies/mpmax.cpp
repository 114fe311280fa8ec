#include <algorithm>

#include "modules/tb_dispatcher/residency_limits.h"

namespace heddle {
namespace {

/// Just-in-time MPMax (SRTF 5.2.2): each running kernel sets aside, on every SM, room for one TB of each
/// other running kernel (scheduler-details.md, "SRTF"); what it may hold itself follows. What was set aside
/// is taken back when the others end. A kernel of which no TB fits beside one of its own and what it sets
/// aside for kernels that came earlier is left out: the two run one after the other.
///
/// Beside one other kernel its limit does that. Of three, two could together hold what each has left for the
/// third, so that an SM takes more than one TB of a kernel only if what is free then is enough for those that
/// have none there.
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

  bool may_take(const DispatchView& view, const LaunchRecord& launch, unsigned sm) const override {
    const DispatchView::Launches& launches = view.launches();
    if (launches.size() < 3 || launch.resident[sm] == 0) return true;
    SmResources beside_one(core());
    beside_one.take(launch.occupancy.demand);
    SmResources free(core());
    const bool room = take_held(free, launches, sm) && take_if_fits(free, launch);
    for (const auto& other : launches) {
      const TbDemand& demand = other->occupancy.demand;
      if (other.get() == &launch || !beside_one.fits(demand)) continue;
      beside_one.take(demand);
      if (other->resident[sm] != 0 || other->tbs_waiting() == 0) continue;
      if (!room || !take_if_fits(free, *other)) return false;
    }
    return true;
  }

  /// What the SM holds, as whole TBs: managed by warp that may be more than there is, false then.
  static bool take_held(SmResources& free, const DispatchView::Launches& launches, unsigned sm) {
    for (const auto& launch : launches) {
      for (unsigned tb = 0; tb < launch->resident[sm]; ++tb) {
        if (!take_if_fits(free, *launch)) return false;
      }
    }
    return true;
  }
  static bool take_if_fits(SmResources& free, const LaunchRecord& launch) {
    const bool fits = free.fits(launch.occupancy.demand);
    if (fits) free.take(launch.occupancy.demand);
    return fits;
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
