#include "modules/warp_scheduler/policies/ipaws/stall_rule.h"

#include <string>

#include "hw/pricing/bits.h"
#include "modules/config/setting_error.h"

namespace heddle {

StallRule::StallRule(const hw::Owner& owner, const GpuConfig& gpu)
    : of_(gpu.scheduler.settings.of(ipaws_parameters).stall_of),
      when_(gpu.scheduler.settings.of(ipaws_parameters).stall_when),
      per_sm_(gpu.scheduler.settings.of(ipaws_parameters).stall_scope == IpawsStallScope::kSm),
      of_kernel_alone_(gpu.scheduler.settings.of(ipaws_parameters).decider == IpawsDecider::kSmPair),
      schedulers_(gpu.core.schedulers),
      charged_(owner, "charged", gpu.core.warps),
      hardware_(owner.timing == hw::Timing::kHardware) {
  owner.note("charged", "the stage between the finding of a stall and the counter");
  for (unsigned w = 0; w < gpu.core.warps; ++w) own_[w % schedulers_] |= warp_bit(w);
  if (of_ == IpawsStallOf::kOldestReady && when_ != IpawsStallWhen::kNoneIssues) {
    throw SettingError({"scheduler.ipaws.stall_of", "scheduler.ipaws.stall_when"},
                       "with 'stall_of: oldest_ready' expected 'stall_when: none_issues': in the other "
                       "stalls none is ready, "
                       "so that none can be charged");
  }
  if (of_ != IpawsStallOf::kFirstTried) return;
  hw::RegisterShape shape;
  const unsigned places = per_sm_ ? 1 : schedulers_;
  shape.bits = hw::index_bits((gpu.core.warps + places - 1) / places);
  for (unsigned place = 0; place < places; ++place) {
    tried_.emplace_back(owner, "first_tried" + std::to_string(place), shape);
    runs_.emplace_back(owner, "first_tried_runs" + std::to_string(place), 1);
    counts_.emplace_back(owner, "first_tried_counts" + std::to_string(place),
                         hw::MultiplexerShape{(gpu.core.warps + places - 1) / places, 1, 1});
  }
  for (const char* part : {"first_tried*", "first_tried_runs*"}) {
    owner.note(part, "the warp that issued last, which the greedy scheduler knows as well");
  }
}

void StallRule::issued(std::uint64_t cycle, unsigned warp, WarpMask running) {
  if (of_ != IpawsStallOf::kFirstTried) return;
  if (of_kernel_alone_ && (running & warp_bit(warp)) == 0) return;
  const bool again = per_sm_ && cycle == issued_at_;
  if (again && !hardware_) return;
  const unsigned scheduler = warp % schedulers_;
  const unsigned place = place_of(scheduler);
  if (again && scheduler > lowest_) return;
  issued_at_ = cycle;
  lowest_ = scheduler;
  if (last_[place] == warp_bit(warp)) return;
  if (!again) tried_[place].write(cycle, per_sm_ ? warp : warp / schedulers_);
  if (last_[place] == 0) runs_[place].load(1);
  last_[place] = warp_bit(warp);
}

void StallRule::finished(unsigned warp) {
  const unsigned place = place_of(warp % schedulers_);
  if (last_[place] != warp_bit(warp)) return;
  runs_[place].load(0);
  last_[place] = 0;
}

WarpMask StallRule::candidates(const StallEvent& stall, WarpMask running) {
  if (!per_sm_) return choose(stall.scheduler, stall.valid, stall.passed, running & own_[stall.scheduler]);
  if (stall.first_cycle != span_.first_cycle || span_.schedulers == schedulers_) {
    span_ = {stall.first_cycle, 0, 0, 0};
  }
  ++span_.schedulers;
  span_.valid |= stall.valid;
  span_.passed |= stall.passed;
  return span_.schedulers == schedulers_ ? choose(0, span_.valid, span_.passed, running) : 0;
}

WarpMask StallRule::choose(unsigned place, WarpMask valid, WarpMask passed, WarpMask running) const {
  if (of_kernel_alone_) {
    valid &= running;
    passed &= running;
  }
  if (when_ != IpawsStallWhen::kNoneIssues && passed != 0) return 0;
  if (when_ == IpawsStallWhen::kAllBlocked && valid == 0) return 0;
  switch (of_) {
    case IpawsStallOf::kOldest:
      break;
    case IpawsStallOf::kOldestValid:
      return running & valid;
    case IpawsStallOf::kOldestReady:
      return running & passed;
    case IpawsStallOf::kFirstTried:
      if ((running & last_[place]) != 0) return running & last_[place];
      break;
  }
  return running;
}

void StallRule::trace(WaveSink& sink) const {
  for (const hw::Register& tried : tried_) tried.trace(sink);
  for (const hw::BitVector& runs : runs_) runs.trace(sink);
}

}  // namespace heddle
