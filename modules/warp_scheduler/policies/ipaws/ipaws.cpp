#include "modules/warp_scheduler/policies/ipaws/ipaws.h"

#include <algorithm>

#include "modules/warp_scheduler/policies/ipaws/parameters.h"

namespace heddle {

namespace {

constexpr unsigned kPhaseBits = 3;

hw::RegisterShape launch_shape() {
  hw::RegisterShape shape;
  shape.bits = kIpawsLaunchBits;
  shape.reset = hw::low_bits(kIpawsLaunchBits);  // of no kernel that comes first
  return shape;
}

hw::RegisterShape phase_shape() {
  hw::RegisterShape shape;
  shape.bits = kPhaseBits;
  return shape;
}

}  // namespace

// A TB that starts is of the kernel, or of a newer one; a verdict is of the kernel, or of the one that
// starts.
Ipaws::Parts::Parts(const hw::Owner& owner, const GpuConfig& gpu)
    : launch(owner, "launch", launch_shape()),
      newer(owner, "newer", {kIpawsLaunchBits, 1, 1, false}),
      of_launch(owner, "of_launch", {kIpawsLaunchBits, 3, 1, true}),
      tbs(owner, "tbs", gpu.core.tb_slots),
      of_kernel(owner, "of_kernel", gpu.core.warps),
      waiting(owner, "waiting", gpu.core.warps),
      phase(owner, "phase", phase_shape()) {
  for (const char* part : {"launch", "tbs", "of_kernel", "waiting", "phase"}) {
    owner.note(part,
               "which kernel is adapted to, its TBs and warps, and how far it is; the paper counts the "
               "counters only");
  }
}

Ipaws::Ipaws(const SmContext& context, const PolicyChannel& channel)
    : PairedPolicies(context, "ipaws", context.values_of(ipaws_parameters).greedy,
                     context.values_of(ipaws_parameters).fair),
      table_(context.table),
      config_(context.values_of(ipaws_parameters)),
      pattern_(context.hardware.child("ipaws"), context.gpu),
      stall_rule_(context.hardware.child("ipaws"), context.gpu),
      decisions_(context.hardware.child("ipaws"), context.gpu),
      parts_(context.hardware.child("ipaws"), context.gpu),
      sm_(context.sm),
      hardware_(context.hardware.timing == hw::Timing::kHardware),
      launch_mask_(hardware_ ? hw::low_bits(kIpawsLaunchBits) : ~std::uint64_t{0}) {
  if (hardware_) launch_ = launch_mask_;
  if (config_.decider != IpawsDecider::kEachSm) {
    constexpr unsigned kVerdictBits = 1;
    link_.emplace(context.hardware.child("ipaws"), context.gpu, channel, kVerdictBits + kIpawsLaunchBits);
  }
  residents_.reserve(kMaxWarps);
  if (config_.recover) {
    const hw::Owner owner = context.hardware.child("ipaws");
    least_issued_ = std::make_unique<LeastIssuedOrder>(owner, context.gpu);
    owner.note(
        "issued",
        "instructions per warp, which the Recover phase compares (iPAWS 3.4); scores have barrier time in "
        "them as well, and the paper counts one set of counters for both");
    if (config_.judge_at != IpawsJudgeAt::kFirstTb) ends_.emplace(owner, context.gpu);
  }
}

void Ipaws::on_tb_start(const TbEvent& event) {
  catch_up(event.cycle);
  const bool was_empty = residents_.empty();
  parts_.of_launch.equal(event.cycle, event.launch_id, launch_);
  Resident& kernel = resident(event.launch_id);
  const bool adopted = adopts(event);
  ++kernel.tbs;
  launch_of_slot_[event.slot] = event.launch_id;
  if (adopted) {
    begin_kernel(event);
  } else if (was_empty) {
    record_.resume(event.cycle);
  }
  if (is_adapted(event.launch_id)) {
    tbs_ |= std::uint64_t{1} << event.slot;
    parts_.tbs.load(tbs_);
    if (adapting()) pattern_.start_tb(TbSlot(event.slot));
  }
  set_favour();
}

/// Of several kernels an SM adapts to the newest, or to what comes when it holds none of that any more; in
/// pairs to the favoured one from its first TB on.
bool Ipaws::adopts(const TbEvent& event) {
  if (!any_kernel_ && !hardware_) return true;
  if (is_adapted(event.launch_id)) return false;
  if (shares()) return event.launch_id == favoured_launch();
  if (hardware_) {
    return parts_.newer.less(event.cycle, launch_ & launch_mask_, event.launch_id & launch_mask_) ||
           tbs_ == 0;
  }
  const bool held = std::any_of(residents_.begin(), residents_.end(), [this](const Resident& kernel) {
    return kernel.launch == launch_ && kernel.tbs != 0;
  });
  return event.launch_id > launch_ || !held;
}

Ipaws::Resident& Ipaws::resident(std::uint64_t launch) {
  const auto at = std::find_if(residents_.begin(), residents_.end(),
                               [launch](const Resident& kernel) { return kernel.launch >= launch; });
  if (at != residents_.end() && at->launch == launch) return *at;
  return *residents_.insert(at, {launch, 0, 0});
}

/// SMs of a pair favour different kernels, if they hold two.
std::uint64_t Ipaws::favoured_launch() const {
  const std::size_t place = std::min<std::size_t>(sm_ % 2, residents_.size() - 1);
  return residents_[place].launch;
}

void Ipaws::set_favour() {
  if (!shares() || residents_.empty()) return;
  const std::uint64_t favoured = favoured_launch();
  convex_warps_ = 0;
  adapted_warps_ = 0;
  for (const Resident& kernel : residents_) {
    const std::optional<bool> decision = decisions_.about(kernel.launch);
    if (decision && *decision) convex_warps_ |= kernel.warps;
    if (kernel.launch == launch_) adapted_warps_ = kernel.warps;
    if (kernel.launch != favoured) continue;
    // "To minimize the impact of concurrent kernels on the adaptive decision" (iPAWS 4.3): it ends with that.
    const bool serves = !decision || config_.favour == IpawsFavour::kAlways;
    favoured_ = serves ? kernel.warps : 0;
  }
}

void Ipaws::remember(std::uint64_t cycle, std::uint64_t launch, bool convex) {
  decisions_.remember(cycle, launch, convex);
  set_favour();
}

/// The evaluation is repeated for each kernel (iPAWS 3.4).
void Ipaws::begin_kernel(const TbEvent& event) {
  any_kernel_ = true;
  launch_ = event.launch_id;
  parts_.launch.write(event.cycle, launch_ & hw::low_bits(kIpawsLaunchBits));
  tbs_ = 0;
  of_kernel_ = 0;
  waiting_ = 0;
  newest_ = kNoWarp;
  judge_due_ = false;
  begun_at_ = event.cycle;
  if (ends_) ends_->begin();
  pattern_.clear();
  if (hardware_) enter_after(event.cycle, IpawsPhase::kAdapt);
  record_.begin(event.cycle);
  // Others have decided before its first TB came to this SM: no warp is ahead that the Recover phase would
  // have to wait for.
  const std::optional<bool> decision = decisions_.look_up(event.cycle, launch_);
  if (!decision) return;
  record_.decided(*decision);
  record_.enter(*decision ? IpawsPhase::kExecuteFair : IpawsPhase::kExecuteGreedy, event.cycle);
}

/// From the cycle after `cycle` on the choice is made in `phase`.
void Ipaws::enter_after(std::uint64_t cycle, IpawsPhase phase) {
  if (changed_at_ != cycle) {
    phase_before_ = this->phase();
    adapted_before_ = adapted_warps_;
  }
  changed_at_ = cycle;
  record_.enter(phase, cycle);
}

void Ipaws::on_tb_end(const TbEvent& event) {
  catch_up(event.cycle);
  const bool judged = config_.judge_at == IpawsJudgeAt::kFirstTb && adapting() && any_kernel_ &&
                      is_adapted(launch_of_slot_[event.slot]);
  if (judged) end_adapting(event.cycle);
  if ((tbs_ >> event.slot & 1U) != 0) {
    tbs_ &= ~(std::uint64_t{1} << event.slot);
    parts_.tbs.load(tbs_);
  }
  Resident& kernel = resident(launch_of_slot_[event.slot]);
  if (--kernel.tbs == 0) residents_.erase(residents_.begin() + (&kernel - residents_.data()));
  if (residents_.empty()) record_.pause(event.cycle);
  set_favour();
}

void Ipaws::on_warp_start(const WarpEvent& event) {
  if (least_issued_) least_issued_->start(event.warp);
  catch_up(event.cycle);
  if (is_adapted(event.launch_id)) {  // also of a TB that started without it
    of_kernel_ |= warp_bit(event.warp);
    parts_.of_kernel.load(of_kernel_);
  }
  resident(launch_of_slot_[event.tb_slot]).warps |= warp_bit(event.warp);
  set_favour();
  if (adapting() && (of_kernel_ & warp_bit(event.warp)) != 0) {
    pattern_.start(event.cycle, WarpSlot(event.warp), TbSlot(event.tb_slot));
    record_.start(event.warp);
    if (ends_) ends_->start(event.cycle, event.warp);
  }
}

void Ipaws::on_warp_retire(const WarpEvent& event) {
  resident(launch_of_slot_[event.tb_slot]).warps &= ~warp_bit(event.warp);
  set_favour();
}

void Ipaws::on_issue(const IssueEvent& event) {
  catch_up(event.cycle);
  if (least_issued_) least_issued_->count_issue(event.warp);
  stall_rule_.issued(event.cycle, event.warp, of_kernel_);
  if (ends_) ends_->issued(event.warp, adapting());
  if (!adapting()) return;
  if (event.cycle != issued_at_ && waiting_ != 0) pattern_.count_barrier(waiting_, table_);
  issued_at_ = event.cycle;
  if ((of_kernel_ & warp_bit(event.warp)) != 0) {
    pattern_.count_issue(WarpSlot(event.warp), TbSlot(table_.tb_slot[event.warp]));
    record_.count_issue(event.warp);
  }
}

void Ipaws::on_barrier_arrive(const BarrierEvent& event) {
  waiting_ |= event.warps & of_kernel_;
  parts_.waiting.load(waiting_);
}

void Ipaws::on_barrier_release(const BarrierEvent& event) {
  waiting_ &= ~event.warps;
  parts_.waiting.load(waiting_);
}

void Ipaws::on_stall(const StallEvent& event) {
  if (!adapting()) return;
  const WarpMask candidates = stall_rule_.candidates(event, of_kernel_);
  if (candidates == 0) return;
  if (!hardware_ || !ends_ || !stall_rule_.charges_first_or_oldest() ||
      config_.counters != IpawsCounters::kWarp) {
    pattern_.count_stall(event.first_cycle + event.cycles - 1, event.cycles, candidates, table_);
    return;
  }
  // In the kernel's first cycle the warps that are charged are those that were there before.
  const std::uint64_t cycles = event.cycles - (event.first_cycle == begun_at_ ? 1 : 0);
  const WarpMask charged = candidates == of_kernel_ ? ends_->oldest() : candidates;
  if (cycles != 0 && charged != 0) pattern_.charge(WarpSlot(lowest_warp(charged)), cycles);
}

void Ipaws::on_warp_finish(const WarpEvent& event) {
  stall_rule_.finished(event.warp);
  if (ends_) ends_->finished(event.warp);
  const WarpMask warp = warp_bit(event.warp);
  if ((of_kernel_ & warp) == 0) return;
  if (adapting() && ends_adapting(event.warp)) end_adapting(event.cycle);
  of_kernel_ &= ~warp;
  parts_.of_kernel.load(of_kernel_);
  if (event.warp == newest_) newest_finished_ = true;
}

/// By the exit of `warp`. The oldest is the one that came first, also when younger ones have ended before it.
bool Ipaws::ends_adapting(unsigned warp) const {
  switch (config_.judge_at) {
    case IpawsJudgeAt::kFirstWarp:
      return true;
    case IpawsJudgeAt::kOldestWarp:
      return warp == record_.oldest();
    case IpawsJudgeAt::kFirstTb:
      break;
  }
  return false;
}

/// In hardware timing the other schedulers may yet issue in `cycle`, which counts.
void Ipaws::end_adapting(std::uint64_t cycle) {
  if (!hardware_) {
    judge(cycle);
  } else if (!judge_due_) {
    judge_due_ = true;
    ended_at_ = cycle;
  }
}

void Ipaws::judge(std::uint64_t cycle) {
  judge_due_ = false;
  const IssuePattern::Verdict verdict = pattern_.judge(cycle);
  convex_ = verdict.convex;
  result_at_ = cycle + verdict.time_cycles;
  posted_ = false;
  if (!hardware_ || !ends_) note_recover_target();
  record_.judged(pattern_, verdict);
  record_.enter(IpawsPhase::kJudge, cycle + 1);
  finish_judgement(cycle);
}

/// Instructions that the oldest warp of the kernel has issued, and the newest warp.
void Ipaws::note_recover_target() {
  unsigned oldest = kNoWarp;
  newest_ = kNoWarp;
  newest_finished_ = false;
  for (WarpMask left = of_kernel_; left != 0; left &= left - 1) {
    const unsigned warp = lowest_warp(left);
    if (oldest == kNoWarp || table_.age[warp] < table_.age[oldest]) oldest = warp;
    if (newest_ == kNoWarp || table_.age[warp] > table_.age[newest_]) newest_ = warp;
  }
  target_ = least_issued_ && oldest != kNoWarp ? least_issued_->issued(oldest) : 0;
}

/// Tells the result when it is there; it holds from the next cycle on. Returns when to be called again.
std::uint64_t Ipaws::finish_judgement(std::uint64_t cycle) {
  if (cycle < result_at_) return result_at_;
  if (!posted_) {
    posted_ = true;
    result_at_ = cycle;
    if (link_) {
      link_->post(cycle, convex_ ? 1 : 0, launch_);
    } else if (hardware_) {
      remember(cycle, launch_, convex_);
    }
  }
  if (link_) return kNever;
  if (cycle == result_at_) return cycle + 1;
  if (!hardware_) remember(cycle, launch_, convex_);
  decide(cycle, convex_);
  return kNever;
}

void Ipaws::on_note(const PolicyNote& note) {
  catch_up(note.read_at);
  const bool convex = note.kind != 0;
  parts_.of_launch.equal(note.read_at, note.value, launch_);
  if (decisions_.look_up(note.read_at, note.value)) return;  // the first one counts
  remember(note.read_at, note.value, convex);
  if (!any_kernel_ || !is_adapted(note.value)) return;
  if (adapting() && (!hardware_ || !ends_)) note_recover_target();
  decide(note.read_at, convex);
}

void Ipaws::decide(std::uint64_t cycle, bool convex) {
  record_.decided(convex);
  if (!convex) {
    record_.enter(IpawsPhase::kExecuteGreedy, cycle);
  } else {
    record_.enter(least_issued_ ? IpawsPhase::kRecover : IpawsPhase::kExecuteFair, cycle);
  }
}

void Ipaws::finish_recovery(std::uint64_t cycle) {
  if (asked_at_ == cycle) return;
  asked_at_ = cycle;
  if (!caught_up(cycle)) return;
  if (hardware_) {
    enter_after(cycle, IpawsPhase::kExecuteFair);
  } else {
    record_.enter(IpawsPhase::kExecuteFair, cycle);
  }
}

bool Ipaws::caught_up(std::uint64_t cycle) {
  if (hardware_ && ends_) return ends_->caught_up(cycle);
  return newest_finished_ || newest_ == kNoWarp || least_issued_->issued(newest_) >= target_;
}

std::uint64_t Ipaws::update(std::uint64_t cycle) {
  std::uint64_t next = PairedPolicies::update(cycle);
  catch_up(cycle);
  if (judge_due_) next = std::min(next, cycle + 1);  // the end of a TB keeps no scheduler awake
  if (phase() == IpawsPhase::kJudge) next = std::min(next, finish_judgement(cycle));
  if (phase() == IpawsPhase::kRecover) finish_recovery(cycle);
  const auto phase = static_cast<std::uint64_t>(this->phase());
  if (parts_.phase.value() != phase) parts_.phase.write(cycle, phase);
  return next;
}

bool Ipaws::greedy_chosen() const {
  return phase() != IpawsPhase::kRecover && phase() != IpawsPhase::kExecuteFair;
}

void Ipaws::settle(std::uint64_t cycle) {
  PairedPolicies::settle(cycle);
  record_.settle(cycle);
}

std::uint64_t Ipaws::show(std::uint64_t cycle) {
  const std::uint64_t next = PairedPolicies::show(cycle);
  // The stalls in each of their cycles.
  return traced_ && adapting() && of_kernel_ != 0 ? std::min(next, cycle + 1) : next;
}

void Ipaws::report(StatSink& sink) const {
  PairedPolicies::report(sink);
  record_.report(sink);
}

void Ipaws::trace(WaveSink& sink) {
  traced_ = true;
  PairedPolicies::trace(sink);
  record_.trace(sink);
  pattern_.trace(sink);
  stall_rule_.trace(sink);
  decisions_.trace(sink);
  if (ends_) ends_->trace(sink);
  if (least_issued_) least_issued_->trace(sink);
}

void Ipaws::trace_state(WaveSink& sink) {
  PairedPolicies::trace_state(sink);
  record_.trace(sink);
}

}  // namespace heddle
