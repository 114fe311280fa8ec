#include "modules/tb_dispatcher/residency_limits.h"

namespace heddle {

LaunchRecord* ResidencyLimits::select(const DispatchView& view, unsigned sm) {
  for (const auto& launch : view.launches()) {
    if (launch->resident[sm] < limits_[launch->kernel_slot] && view.can_start(*launch, sm) &&
        may_take(view, *launch, sm))
      return launch.get();
  }
  return nullptr;
}

void ResidencyLimits::on_launch(const DispatchView& view, const LaunchRecord& /*launch*/) {
  set_limits(view);
}

void ResidencyLimits::on_end(const DispatchView& view, const LaunchRecord& /*launch*/) { set_limits(view); }

void ResidencyLimits::set_limits(const DispatchView& view) {
  for (const auto& launch : view.launches()) limits_[launch->kernel_slot] = limit_of(view, *launch);
}

unsigned ResidencyLimits::fitting(const LaunchRecord& launch, SmResources free) {
  unsigned count = 0;
  while (count < launch.occupancy.resident_limit && free.fits(launch.occupancy.demand)) {
    free.take(launch.occupancy.demand);
    ++count;
  }
  return count;
}

}  // namespace heddle
