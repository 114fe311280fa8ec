#include "modules/warp_scheduler/policies/ipaws/ipaws.h"

#include <algorithm>

#include "modules/warp_scheduler/policies/ipaws/parameters.h"

namespace heddle {

Ipaws::Ipaws(const SmContext& context, const PolicyChannel& channel)
    : PairedPolicies(context, "ipaws", context.values_of(ipaws_parameters).greedy,
                     context.values_of(ipaws_parameters).fair),
      table_(context.table),
      config_(context.values_of(ipaws_parameters)),
      pattern_(context.hardware.child("ipaws"), context.gpu),
      stall_rule_(context.hardware.child("ipaws"), context.gpu),
      sm_(context.sm) {
  if (config_.decider != IpawsDecider::kEachSm) {
    constexpr unsigned kVerdictBits = 1;
    link_.emplace(context.hardware.child("ipaws"), context.gpu, channel,
                  kVerdictBits + hw::index_bits(context.gpu.tb_dispatcher.max_kernels));
  }
  decisions_.reserve(kDecisions);
  residents_.reserve(kMaxWarps);
  if (config_.recover) {
    const hw::Owner owner = context.hardware.child("ipaws");
    least_issued_ = std::make_unique<LeastIssuedOrder>(owner, context.gpu);
    owner.note(
        "issued",
        "instructions per warp, which the Recover phase compares (iPAWS 3.4); scores have barrier time in "
        "them as well, and the paper counts one set of counters for both");
  }
}

void Ipaws::on_tb_start(const TbEvent& event) {
  const bool was_empty = residents_.empty();
  Resident& kernel = resident(event.launch_id);
  const bool adopted = adopts(event);
  ++kernel.tbs;
  launch_of_slot_[event.slot] = event.launch_id;
  if (adopted) {
    begin_kernel(event);
  } else if (was_empty) {
    record_.resume(event.cycle);
  }
  if (adapting() && event.launch_id == launch_) pattern_.start_tb(TbSlot(event.slot));
  set_favour();
}

/// Of several kernels an SM adapts to the newest, or to what comes when it holds none of that any more; in
/// pairs to the favoured one from its first TB on.
bool Ipaws::adopts(const TbEvent& event) const {
  if (!any_kernel_) return true;
  if (event.launch_id == launch_) return false;
  if (shares()) return event.launch_id == favoured_launch();
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
    const Decision* decision = decision_about(kernel.launch);
    if (decision != nullptr && decision->convex) convex_warps_ |= kernel.warps;
    if (kernel.launch == launch_) adapted_warps_ = kernel.warps;
    if (kernel.launch != favoured) continue;
    // "To minimize the impact of concurrent kernels on the adaptive decision" (iPAWS 4.3): it ends with that.
    const bool serves = decision == nullptr || config_.favour == IpawsFavour::kAlways;
    favoured_ = serves ? kernel.warps : 0;
  }
}

const Ipaws::Decision* Ipaws::decision_about(std::uint64_t launch) const {
  const auto found = std::find_if(decisions_.begin(), decisions_.end(),
                                  [launch](const Decision& decision) { return decision.launch == launch; });
  return found == decisions_.end() ? nullptr : &*found;
}

void Ipaws::remember(std::uint64_t launch, bool convex) {
  if (decisions_.size() == kDecisions) decisions_.erase(decisions_.begin());
  decisions_.push_back({launch, convex});
  set_favour();
}

/// The evaluation is repeated for each kernel (iPAWS 3.4).
void Ipaws::begin_kernel(const TbEvent& event) {
  any_kernel_ = true;
  launch_ = event.launch_id;
  of_kernel_ = 0;
  waiting_ = 0;
  newest_ = kNoWarp;
  pattern_.clear();
  record_.begin(event.cycle);
  // Others have decided before its first TB came to this SM: no warp is ahead that the Recover phase would
  // have to wait for.
  const Decision* decision = decision_about(launch_);
  if (decision == nullptr) return;
  record_.decided(decision->convex);
  record_.enter(decision->convex ? IpawsPhase::kExecuteFair : IpawsPhase::kExecuteGreedy, event.cycle);
}

void Ipaws::on_tb_end(const TbEvent& event) {
  const bool judged = config_.judge_at == IpawsJudgeAt::kFirstTb && adapting() && any_kernel_ &&
                      launch_of_slot_[event.slot] == launch_;
  if (judged) judge(event.cycle);
  Resident& kernel = resident(launch_of_slot_[event.slot]);
  if (--kernel.tbs == 0) residents_.erase(residents_.begin() + (&kernel - residents_.data()));
  if (residents_.empty()) record_.pause(event.cycle);
  set_favour();
}

void Ipaws::on_warp_start(const WarpEvent& event) {
  if (least_issued_) least_issued_->start(event.warp);
  if (event.launch_id == launch_) of_kernel_ |= warp_bit(event.warp);  // also of a TB that started without it
  resident(launch_of_slot_[event.tb_slot]).warps |= warp_bit(event.warp);
  set_favour();
  if (adapting() && (of_kernel_ & warp_bit(event.warp)) != 0) {
    pattern_.start(event.cycle, WarpSlot(event.warp), TbSlot(event.tb_slot));
    record_.start(event.warp);
  }
}

void Ipaws::on_warp_retire(const WarpEvent& event) {
  resident(launch_of_slot_[event.tb_slot]).warps &= ~warp_bit(event.warp);
  set_favour();
}

void Ipaws::on_issue(const IssueEvent& event) {
  if (least_issued_) least_issued_->count_issue(event.warp);
  stall_rule_.issued(event.cycle, event.warp);
  if (!adapting()) return;
  if (event.cycle != issued_at_ && waiting_ != 0) pattern_.count_barrier(waiting_, table_);
  issued_at_ = event.cycle;
  if ((of_kernel_ & warp_bit(event.warp)) != 0) {
    pattern_.count_issue(WarpSlot(event.warp), TbSlot(table_.tb_slot[event.warp]));
    record_.count_issue(event.warp);
  }
}

void Ipaws::on_barrier_arrive(const BarrierEvent& event) { waiting_ |= event.warps & of_kernel_; }

void Ipaws::on_barrier_release(const BarrierEvent& event) { waiting_ &= ~event.warps; }

void Ipaws::on_stall(const StallEvent& event) {
  if (!adapting()) return;
  const WarpMask candidates = stall_rule_.candidates(event, of_kernel_);
  if (candidates == 0) return;
  pattern_.count_stall(event.first_cycle + event.cycles - 1, event.cycles, candidates, table_);
}

void Ipaws::on_warp_finish(const WarpEvent& event) {
  stall_rule_.finished(event.warp);
  const WarpMask warp = warp_bit(event.warp);
  if ((of_kernel_ & warp) == 0) return;
  if (adapting() && ends_adapting(event.warp)) judge(event.cycle);
  of_kernel_ &= ~warp;
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

void Ipaws::judge(std::uint64_t cycle) {
  const IssuePattern::Verdict verdict = pattern_.judge(cycle);
  convex_ = verdict.convex;
  result_at_ = cycle + verdict.time_cycles;
  posted_ = false;
  note_recover_target();
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
    if (link_) link_->post(cycle, convex_ ? 1 : 0, launch_);
  }
  if (link_) return kNever;
  if (cycle == result_at_) return cycle + 1;
  remember(launch_, convex_);
  decide(cycle, convex_);
  return kNever;
}

void Ipaws::on_note(const PolicyNote& note) {
  const bool convex = note.kind != 0;
  if (decision_about(note.value) != nullptr) return;  // the first one counts
  remember(note.value, convex);
  if (!any_kernel_ || note.value != launch_) return;
  if (adapting()) note_recover_target();
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
  const bool caught_up = newest_finished_ || newest_ == kNoWarp || least_issued_->issued(newest_) >= target_;
  if (caught_up) record_.enter(IpawsPhase::kExecuteFair, cycle);
}

std::uint64_t Ipaws::update(std::uint64_t cycle) {
  std::uint64_t next = PairedPolicies::update(cycle);
  if (phase() == IpawsPhase::kJudge) next = std::min(next, finish_judgement(cycle));
  if (phase() == IpawsPhase::kRecover) finish_recovery(cycle);
  return next;
}

bool Ipaws::greedy_chosen() const {
  return phase() != IpawsPhase::kRecover && phase() != IpawsPhase::kExecuteFair;
}

void Ipaws::settle(std::uint64_t cycle) {
  PairedPolicies::settle(cycle);
  record_.settle(cycle);
}

void Ipaws::report(StatSink& sink) const {
  PairedPolicies::report(sink);
  record_.report(sink);
}

void Ipaws::trace(WaveSink& sink) {
  PairedPolicies::trace(sink);
  record_.trace(sink);
  pattern_.trace(sink);
  stall_rule_.trace(sink);
  if (least_issued_) least_issued_->trace(sink);
}

void Ipaws::trace_state(WaveSink& sink) {
  PairedPolicies::trace_state(sink);
  record_.trace(sink);
}

}  // namespace heddle
