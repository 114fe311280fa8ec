#include "modules/tb_dispatcher/policies/srtf/simple_slicing.h"

#include <string>

namespace heddle {

namespace {

unsigned sample_bits(const DispatchContext& context) {
  return 1 + hw::index_bits(context.config.max_kernels) + SlicingParts::kCycleBits;
}

}  // namespace

SimpleSlicing::SimpleSlicing(const DispatchContext& context, bool slices)
    : bus_(context.hardware.child("sample_bus"), context.gpu_sms != 0 ? context.gpu_sms : context.core.sms,
           sample_bits(context)),
      launches_(context.config.max_kernels),
      predicted_(context.predicted) {
  if (context.hardware.timing == hw::Timing::kHardware) {
    machines_ = std::make_unique<SlicingMachines>(context, slices, bus_);
    return;
  }
  for (unsigned sm = 0; sm < context.core.sms; ++sm) {
    hw::Owner owner = context.hardware;
    owner.path = "sm" + std::to_string(sm) + "/simple_slicing";
    sms_.push_back(
        std::make_unique<SlicingTable>(owner, context.config.max_kernels, context.core.tb_slots, slices));
  }
}

bool SimpleSlicing::known(const LaunchRecord& launch, unsigned sm) const {
  const unsigned kernel = launch.kernel_slot;
  return machines_ ? machines_->sm(sm).known(kernel) : sms_[sm]->known(kernel);
}
std::uint64_t SimpleSlicing::remaining_cycles(const LaunchRecord& launch, unsigned sm) const {
  const unsigned kernel = launch.kernel_slot;
  return machines_ ? machines_->sm(sm).remaining_cycles(kernel) : sms_[sm]->remaining_cycles(kernel);
}
bool SimpleSlicing::ends_before(const DispatchView& view, const LaunchRecord& a, const LaunchRecord& b,
                                unsigned sm) {
  if (machines_) return remaining_cycles(a, sm) < remaining_cycles(b, sm);
  return sms_[sm]->ends_before(view.cycle(), a.kernel_slot, b.kernel_slot);
}
std::uint64_t SimpleSlicing::total_cycles(const LaunchRecord& launch, unsigned sm) const {
  const unsigned kernel = launch.kernel_slot;
  return machines_ ? machines_->sm(sm).predicted_cycles(kernel) : sms_[sm]->predicted_cycles(kernel);
}
std::uint64_t SimpleSlicing::tb_cycles(const LaunchRecord& launch, unsigned sm) const {
  const unsigned kernel = launch.kernel_slot;
  return machines_ ? machines_->sm(sm).tb_cycles(kernel) : sms_[sm]->tb_cycles(kernel);
}
std::uint64_t SimpleSlicing::tbs_left(const LaunchRecord& launch, unsigned sm) const {
  const unsigned kernel = launch.kernel_slot;
  return machines_ ? machines_->sm(sm).blocks_left(kernel) : sms_[sm]->blocks_left(kernel);
}

unsigned SimpleSlicing::first(std::uint64_t cycle, std::uint64_t kernels, unsigned sm) {
  if (!machines_) return kAsksForEach;
  step_until(cycle);
  return machines_->sm(sm).first(cycle, kernels);
}

void SimpleSlicing::step_until(std::uint64_t cycle) {
  machines_->advance(cycle, [this](const SlicingMachines::Landing& landing) {
    ++predictions_;
    const std::uint64_t launch = launches_[landing.kernel];
    landed_.push_back(launch);
    if (predicted_ != nullptr && predicted_->heard())
      predicted_->fire({landing.cycle, launch, landing.sm, landing.t, landing.predicted_cycles});
  });
}

void SimpleSlicing::advance(std::uint64_t cycle, std::vector<std::uint64_t>& known) {
  if (!machines_) return;
  step_until(cycle);
  known.insert(known.end(), landed_.begin(), landed_.end());
  landed_.clear();
}

std::uint64_t SimpleSlicing::next_change() const { return machines_ ? machines_->next_change() : kNever; }

void SimpleSlicing::on_launch(std::uint64_t cycle, const LaunchRecord& launch) {
  launches_[launch.kernel_slot] = launch.launch_id;
  const std::uint64_t sms = machines_ ? machines_->size() : sms_.size();
  const std::uint64_t blocks_per_sm = (launch.tbs + sms - 1) / sms;
  if (machines_) {
    step_until(cycle);
    machines_->launch(launch.kernel_slot, launch.occupancy.resident_limit, blocks_per_sm);
    return;
  }
  for (const auto& sm : sms_) {
    sm->launch(cycle, launch.kernel_slot, launch.occupancy.resident_limit, blocks_per_sm);
    sm->reslice();
  }
}

void SimpleSlicing::on_end(std::uint64_t cycle, const LaunchRecord& launch) {
  if (machines_) {
    step_until(cycle);
    machines_->kernel_end(launch.kernel_slot);
    return;
  }
  for (const auto& sm : sms_) sm->reslice();
}

void SimpleSlicing::on_tb_start(const DispatchEvent& event) {
  if (machines_) {
    step_until(event.cycle);
    machines_->sm(event.sm.value()).block_start(event.launch.kernel_slot, event.tb_slot);
    return;
  }
  sms_[event.sm.value()]->block_start(event.cycle, event.launch.kernel_slot, event.tb_slot);
}

void SimpleSlicing::on_tb_end(const DispatchEvent& event) {
  const unsigned kernel = event.launch.kernel_slot;
  if (machines_) {
    step_until(event.cycle);
    machines_->sm(event.sm.value()).block_end(kernel, event.tb_slot);
    return;
  }
  for (const auto& sm : sms_) sm->blocks_ended(event.cycle, kernel, event.launch.tbs_ended);
  if (!sms_[event.sm.value()]->block_end(event.cycle, kernel, event.tb_slot)) return;
  ++predictions_;
  tell(event.cycle, event.launch, event.sm.value());
  bool told = false;
  for (unsigned sm = 0; sm < sms_.size(); ++sm) {
    if (sms_[sm]->known(kernel)) continue;
    if (!told) bus_.tell(event.cycle);
    told = true;
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
  const unsigned sms = machines_ ? machines_->size() : static_cast<unsigned>(sms_.size());
  for (unsigned sm = 0; sm < sms; ++sm) {
    const WaveScope scope(sink, "sm" + std::to_string(sm));
    if (machines_) {
      machines_->sm(sm).trace(sink);
    } else {
      sms_[sm]->trace(sink);
    }
  }
}

}  // namespace heddle
