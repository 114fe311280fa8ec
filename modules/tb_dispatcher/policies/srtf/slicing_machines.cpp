#include "modules/tb_dispatcher/policies/srtf/slicing_machines.h"

#include <algorithm>
#include <string>

namespace heddle {

SlicingMachines::SlicingMachines(const DispatchContext& context, bool slices, SampleBus& bus) : bus_(bus) {
  for (unsigned sm = 0; sm < context.core.sms; ++sm) {
    hw::Owner owner = context.hardware;
    owner.path = "sm" + std::to_string(sm) + "/simple_slicing";
    sms_.push_back(
        std::make_unique<SlicingMachine>(owner, context.config.max_kernels, context.core.tb_slots, slices));
  }
}

std::uint64_t SlicingMachines::next_step() const {
  if (!launches_.empty()) return now_;
  std::uint64_t next = SlicingMachine::kNever;
  for (const auto& sm : sms_) next = std::min(next, sm->told() ? now_ : sm->next_event(now_));
  return next;
}

std::uint64_t SlicingMachines::next_change() const {
  const std::uint64_t next = next_step();
  return next == SlicingMachine::kNever ? next : next + 1;
}

/// A launch that waits to be told, and what some SM has to tell.
void SlicingMachines::tell_all(std::uint64_t cycle) {
  if (!launches_.empty()) {
    const Launch& launch = launches_.front();
    for (const auto& sm : sms_) sm->launch(launch.kernel, launch.residency, launch.blocks_per_sm);
    launches_.erase(launches_.begin());
  }
  for (unsigned teller = 0; teller < size(); ++teller) {
    const SlicingSample sample = sms_[teller]->sample();
    if (!sample.valid) continue;
    bus_.tell(cycle);
    for (unsigned i = 0; i < size(); ++i) sms_[i]->adopt(sample, i == teller);
    return;
  }
}

}  // namespace heddle
