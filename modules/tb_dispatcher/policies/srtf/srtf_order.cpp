#include "modules/tb_dispatcher/policies/srtf/srtf_order.h"

#include <algorithm>

namespace heddle {

SrtfOrder::SrtfOrder(const DispatchContext& context, std::unique_ptr<RuntimePredictor> predictor, bool sample)
    : sampling_sm_(context.config.sampling_sm),
      sample_(sample),
      spent_(context.spent),
      predictor_(std::move(predictor)),
      hand_offs_under_way_(context.core.sms) {}

bool SrtfOrder::before(const DispatchView& view, const LaunchRecord& a, const LaunchRecord& b,
                       unsigned sm) const {
  const bool known = predictor_->known(a, sm);
  if (known != predictor_->known(b, sm)) return known;
  return known && predictor_->ends_before(view, a, b, sm);
}

LaunchRecord* SrtfOrder::sampled_on(const DispatchView& view, unsigned sm) const {
  if (to_sample_.empty() || sm != sampling_sm_) return nullptr;
  for (const auto& launch : view.launches()) {
    if (launch.get() == to_sample_.front().launch && launch->tbs_waiting() != 0) return launch.get();
  }
  return nullptr;
}

LaunchRecord* SrtfOrder::first(const DispatchView& view, unsigned sm) const {
  if (LaunchRecord* sampled = sampled_on(view, sm)) return sampled;
  if (predictor_->machines() != nullptr) return first_of_known(view, sm);
  LaunchRecord* best = nullptr;
  for (const auto& launch : view.launches()) {
    if (launch->tbs_waiting() != 0 && (best == nullptr || before(view, *launch, *best, sm)))
      best = launch.get();
  }
  return best;
}

/// In hardware timing: the predictor looks at all kernels whose launch latency is over at once.
LaunchRecord* SrtfOrder::first_of_known(const DispatchView& view, unsigned sm) const {
  LaunchRecord* oldest = nullptr;
  std::uint64_t kernels = 0;
  for (const auto& launch : view.launches()) {
    if (launch->tbs_waiting() == 0) continue;
    if (oldest == nullptr) oldest = launch.get();
    if (launch->ready_at <= view.cycle()) kernels |= std::uint64_t{1} << launch->kernel_slot;
  }
  if (kernels == 0) return oldest;
  const unsigned first = predictor_->first(view.cycle(), kernels, sm);
  for (const auto& launch : view.launches()) {
    if (first != RuntimePredictor::kNone && launch->kernel_slot == first) return launch.get();
  }
  return oldest;
}

bool SrtfOrder::advance(const DispatchView& view) {
  predictor_->advance(view.cycle(), known_);
  if (known_.empty()) return false;
  for (const auto& launch : view.launches()) {
    if (std::find(known_.begin(), known_.end(), launch->launch_id) != known_.end())
      end_sampling(*launch, view.cycle());
  }
  known_.clear();
  return true;
}

std::vector<LaunchRecord*> SrtfOrder::order(const DispatchView& view, unsigned sm) const {
  std::vector<LaunchRecord*> result;
  for (const auto& launch : view.launches()) {
    if (launch->tbs_waiting() != 0) result.push_back(launch.get());
  }
  std::stable_sort(result.begin(), result.end(),
                   [&](const LaunchRecord* a, const LaunchRecord* b) { return before(view, *a, *b, sm); });
  return result;
}

void SrtfOrder::on_launch(const DispatchView& view, const LaunchRecord& launch) {
  predictor_->on_launch(view.cycle(), launch);
  if (sample_ && view.launches().size() > 1) to_sample_.push_back({&launch, view.cycle()});
}

void SrtfOrder::on_end(const DispatchView& view, const LaunchRecord& launch) {
  predictor_->on_end(view.cycle(), launch);
  for (HandOff& hand_off : hand_offs_under_way_) {
    if (hand_off.launch == &launch) hand_off.launch = nullptr;
  }
  end_sampling(launch, view.cycle());
  // One kernel alone has all SMs, and is predicted as it goes.
  if (view.launches().size() == 1 && !to_sample_.empty())
    end_sampling(*view.launches().front(), view.cycle());
}

bool SrtfOrder::is_sampled(const DispatchEvent& event) const {
  return !to_sample_.empty() && to_sample_.front().launch == &event.launch && event.sm == SmId(sampling_sm_);
}

void SrtfOrder::on_tb_start(const DispatchEvent& event) {
  predictor_->on_tb_start(event);
  end_hand_off(event);
  if (!is_sampled(event)) return;
  Sample& sample = to_sample_.front();
  if (sample.started != 0) return;
  sample.started = event.cycle;
  sampling_delay_cycles_ += event.cycle - sample.since;
  tell(PolicyInterval::Kind::kToBeSampled, event.launch, sampling_sm_, sample.since, event.cycle);
}

void SrtfOrder::tell(PolicyInterval::Kind kind, const LaunchRecord& launch, unsigned sm, std::uint64_t start,
                     std::uint64_t end) const {
  if (spent_ != nullptr && spent_->heard()) spent_->fire({kind, launch.launch_id, sm, start, end});
}

void SrtfOrder::waits_for_room(const DispatchView& view, const LaunchRecord& launch, unsigned sm) {
  HandOff& hand_off = hand_offs_under_way_[sm];
  if (hand_off.launch == &launch && sampled_on(view, sm) != &launch) return;
  hand_off.launch = nullptr;  // what the SM waited for until then is no longer first, or is sampled
  if (sampled_on(view, sm) == &launch || launch.resident[sm] != 0 || view.cycle() < launch.ready_at) return;
  hand_off = {&launch, view.cycle()};
}

/// What comes to the SM instead means that the order has changed meanwhile, and what comes to be sampled
/// there has not waited for a hand-off.
void SrtfOrder::end_hand_off(const DispatchEvent& event) {
  HandOff& hand_off = hand_offs_under_way_[event.sm.value()];
  if (hand_off.launch == &event.launch && !is_sampled(event)) {
    ++hand_offs_;
    hand_off_cycles_ += event.cycle - hand_off.since;
    tell(PolicyInterval::Kind::kHandOff, event.launch, event.sm.value(), hand_off.since, event.cycle);
  }
  hand_off.launch = nullptr;
}

void SrtfOrder::on_tb_end(const DispatchEvent& event) {
  predictor_->on_tb_end(event);
  if (predictor_->known(event.launch, event.sm.value())) end_sampling(event.launch, event.cycle);
}

void SrtfOrder::end_sampling(const LaunchRecord& launch, std::uint64_t cycle) {
  const auto found = std::find_if(to_sample_.begin(), to_sample_.end(),
                                  [&](const Sample& sample) { return sample.launch == &launch; });
  if (found == to_sample_.end()) return;
  const bool was_first = found == to_sample_.begin();
  if (found->started != 0) {
    ++samples_;
    sampling_cycles_ += cycle - found->started;
    tell(PolicyInterval::Kind::kSampled, launch, sampling_sm_, found->started, cycle);
  }
  to_sample_.erase(found);
  if (was_first && !to_sample_.empty()) to_sample_.front().since = cycle;
}

void SrtfOrder::report(StatSink& sink) const {
  sink.count("samples", samples_, "kernels", "kernels sampled on one SM beside others");
  sink.count("sampling_delay_cycles", sampling_delay_cycles_, "cycles",
             "from when a kernel may be sampled to its first TB on the sampling SM, summed over kernels");
  sink.count("sampling_cycles", sampling_cycles_, "cycles",
             "from a sampled kernel's first TB to its first prediction, summed over kernels");
  sink.count("hand_offs", hand_offs_, "changes", "SMs that waited for room for the kernel that goes first");
  sink.count("hand_off_cycles", hand_off_cycles_, "cycles",
             "from when a kernel goes first on an SM to its first TB there, summed over hand-offs");
  predictor_->report(sink);
}

void SrtfOrder::trace(WaveSink& sink) const { predictor_->trace(sink); }

}  // namespace heddle
