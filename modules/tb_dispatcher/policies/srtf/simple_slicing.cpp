#include "modules/tb_dispatcher/policies/srtf/simple_slicing.h"

#include <string>

namespace heddle {

SimpleSlicing::SimpleSlicing(const DispatchContext& context, bool slices) : predicted_(context.predicted) {
  for (unsigned sm = 0; sm < context.core.sms; ++sm) {
    hw::Owner owner = context.hardware;
    owner.path = "sm" + std::to_string(sm) + "/simple_slicing";
    sms_.push_back(
        std::make_unique<SlicingTable>(owner, context.config.max_kernels, context.core.tb_slots, slices));
  }
}

bool SimpleSlicing::known(const LaunchRecord& launch, unsigned sm) const {
  return sms_[sm]->known(launch.kernel_slot);
}
std::uint64_t SimpleSlicing::remaining_cycles(const LaunchRecord& launch, unsigned sm) const {
  return sms_[sm]->remaining_cycles(launch.kernel_slot);
}
bool SimpleSlicing::ends_before(const DispatchView& view, const LaunchRecord& a, const LaunchRecord& b,
                                unsigned sm) {
  return sms_[sm]->ends_before(view.cycle(), a.kernel_slot, b.kernel_slot);
}
std::uint64_t SimpleSlicing::total_cycles(const LaunchRecord& launch, unsigned sm) const {
  return sms_[sm]->predicted_cycles(launch.kernel_slot);
}
std::uint64_t SimpleSlicing::tb_cycles(const LaunchRecord& launch, unsigned sm) const {
  return sms_[sm]->tb_cycles(launch.kernel_slot);
}
std::uint64_t SimpleSlicing::tbs_left(const LaunchRecord& launch, unsigned sm) const {
  return sms_[sm]->blocks_left(launch.kernel_slot);
}

void SimpleSlicing::on_launch(std::uint64_t cycle, const LaunchRecord& launch) {
  const std::uint64_t blocks_per_sm = (launch.tbs + sms_.size() - 1) / sms_.size();
  for (const auto& sm : sms_) {
    sm->launch(cycle, launch.kernel_slot, launch.occupancy.resident_limit, blocks_per_sm);
    sm->reslice();
  }
}

void SimpleSlicing::on_end(std::uint64_t /*cycle*/) {
  for (const auto& sm : sms_) sm->reslice();
}

void SimpleSlicing::on_tb_start(const DispatchEvent& event) {
  sms_[event.sm.value()]->block_start(event.cycle, event.launch.kernel_slot, event.tb_slot);
}

void SimpleSlicing::on_tb_end(const DispatchEvent& event) {
  const unsigned kernel = event.launch.kernel_slot;
  for (const auto& sm : sms_) sm->blocks_ended(event.cycle, kernel, event.launch.tbs_ended);
  if (!sms_[event.sm.value()]->block_end(event.cycle, kernel, event.tb_slot)) return;
  ++predictions_;
  tell(event.cycle, event.launch, event.sm.value());
  for (unsigned sm = 0; sm < sms_.size(); ++sm) {
    if (sms_[sm]->known(kernel)) continue;
    sms_[sm]->adopt(event.cycle, kernel, sms_[event.sm.value()]->tb_cycles(kernel));
    tell(event.cycle, event.launch, sm);
  }
}

void SimpleSlicing::tell(std::uint64_t cycle, const LaunchRecord& launch, unsigned sm) const {
  if (predicted_ == nullptr || !predicted_->heard()) return;
  predicted_->fire({cycle, launch.launch_id, sm, tb_cycles(launch, sm), total_cycles(launch, sm)});
}

void SimpleSlicing::report(StatSink& sink) const {
  sink.count("predictions", predictions_, "predictions",
             "run times predicted by the Simple Slicing predictor");
}

void SimpleSlicing::trace(WaveSink& sink) {
  for (std::size_t sm = 0; sm < sms_.size(); ++sm) {
    const WaveScope scope(sink, "sm" + std::to_string(sm));
    sms_[sm]->trace(sink);
  }
}

}  // namespace heddle
