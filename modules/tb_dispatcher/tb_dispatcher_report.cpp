#include <algorithm>

#include "modules/tb_dispatcher/tb_dispatcher.h"

namespace heddle {

std::string TbDispatcher::describe_waiting() const {
  std::string text;
  for (const auto& launch : launches_) {
    const bool resident = std::any_of(launch->resident.begin(), launch->resident.end(),
                                      [](std::uint16_t tbs) { return tbs != 0; });
    if (launch->tbs_waiting() == 0 || resident) continue;
    text += "kernel '" + launch->launch->program().name + "': no SM is given any of its " +
            std::to_string(launch->tbs_waiting()) + " thread blocks that wait, under tb_dispatcher.policy " +
            dispatch_.policy + "\n";
  }
  return text;
}

std::string TbDispatcher::describe_held_back() const {
  if (std::any_of(sms_.begin(), sms_.end(), [](const Sm& target) { return target.resident != 0; })) return "";
  std::string text;
  for (const auto& launch : launches_) {
    std::string sms;
    for (unsigned s = 0; s < sms_.size(); ++s) {
      if (can_start(*launch, s)) sms += (sms.empty() ? "" : ", ") + std::to_string(s);
    }
    if (sms.empty()) continue;
    text += "tb_dispatcher.policy '" + dispatch_.policy + "': holds back kernel '" +
            launch->launch->program().name + "', of which " + std::to_string(launch->tbs_waiting()) +
            " thread blocks wait, from SM " + sms + "\n";
  }
  return text;
}

void TbDispatcher::report(StatSink& sink) const {
  sink.count("tbs_dispatched", tbs_dispatched_, "blocks", "thread blocks given to SMs");
  sink.count("tbs_ended", tbs_ended_, "blocks", "thread blocks that ended");
  sink.count("launches_ended", launches_ended_, "launches", "kernel launches that ended");
  if (manages_warps(config_)) {
    sink.count("partial_tbs", partial_tbs_, "blocks", "of these, given with some of their warps only");
    const StatScope scope(sink, config_.resources.contention);
    contention_->report(sink);
  }
  const StatScope scope(sink, dispatch_.policy);
  policy_->report(sink);
}

void TbDispatcher::trace(WaveSink& sink) {
  if (!sink.wanted()) return;
  wave_ = std::make_unique<Wave>();
  const std::size_t kernels = dispatch_.max_kernels;
  wave_->resident.resize(sms_.size());
  wave_->launch.resize(kernels);
  wave_->waiting.resize(kernels);
  wave_->of_kernel.resize(sms_.size() * kernels);
  sink.signal(wave_->tbs_waiting, 32, "tbs_waiting");
  sink.signal(wave_->launches, 8, "launches");
  sink.signal(wave_->coming, 16, "launches_to_come");
  for (std::size_t s = 0; s < sms_.size(); ++s) {
    sink.signal(wave_->resident[s], 8, "resident_sm" + std::to_string(s));
  }
  for (std::size_t k = 0; k < kernels; ++k) {
    const WaveScope scope(sink, std::string(kKernelScope) + std::to_string(k));
    sink.signal(wave_->launch[k], 32, "launch");
    sink.signal(wave_->waiting[k], 32, "tbs_waiting");
    for (std::size_t s = 0; s < sms_.size(); ++s) {
      sink.signal(wave_->of_kernel[s * kernels + k], 8, "resident_sm" + std::to_string(s));
    }
  }
  if (manages_warps(config_)) {
    const WaveScope scope(sink, config_.resources.contention);
    contention_->trace(sink);
  }
  const WaveScope scope(sink, dispatch_.policy);
  policy_->trace(sink);
}

void TbDispatcher::update_wave() {
  wave_->tbs_waiting = tbs_waiting_;
  wave_->launches = launches_.size();
  wave_->coming = coming_.size();
  for (std::size_t s = 0; s < sms_.size(); ++s) wave_->resident[s] = sms_[s].resident;
  std::fill(wave_->waiting.begin(), wave_->waiting.end(), 0);
  std::fill(wave_->of_kernel.begin(), wave_->of_kernel.end(), 0);
  for (const auto& launch : launches_) {
    const unsigned slot = launch->kernel_slot;
    wave_->launch[slot] = launch->launch_id;
    wave_->waiting[slot] = launch->tbs_waiting();
    for (std::size_t s = 0; s < sms_.size(); ++s) {
      wave_->of_kernel[s * dispatch_.max_kernels + slot] = launch->resident[s];
    }
  }
}

}  // namespace heddle
