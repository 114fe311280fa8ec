#include "modules/warp_scheduler/policies/ipaws.h"

#include <algorithm>

namespace heddle {

Ipaws::Ipaws(const SmContext& context, const PolicyChannel& channel)
    : PairedPolicies(context, "ipaws", context.gpu.scheduler.ipaws.greedy, context.gpu.scheduler.ipaws.fair),
      table_(context.table),
      config_(context.gpu.scheduler.ipaws),
      channel_(channel),
      pattern_(context.hardware.child("ipaws"), context.gpu) {
  if (config_.recover) {
    least_issued_ = std::make_unique<LeastIssuedOrder>(context.hardware.child("ipaws"), context.gpu);
  }
}

EventMask Ipaws::wanted_events() const {
  return PairedPolicies::wanted_events() | wants::kTb | wants::kWarp | wants::kIssue | wants::kBarrier |
         wants::kStall;
}

void Ipaws::on_tb_start(const TbEvent& event) {
  PairedPolicies::on_tb_start(event);
  if (!any_kernel_ || event.launch_id > launch_) {
    begin_kernel(event);
  } else if (resident_tbs_ == 0) {
    record_.resume(event.cycle);
  }
  ++resident_tbs_;
}

/// The evaluation is repeated for each kernel (iPAWS 3.4).
void Ipaws::begin_kernel(const TbEvent& event) {
  any_kernel_ = true;
  launch_ = event.launch_id;
  of_kernel_ = 0;
  waiting_ = 0;
  pattern_.clear();
  record_.begin(event.cycle);
  // Others have decided before its first TB came to this SM: no warp is ahead that the Recover phase would
  // have to wait for.
  if (!decision_.made || decision_.launch != launch_) return;
  record_.decided(decision_.convex);
  record_.enter(decision_.convex ? IpawsPhase::kExecuteFair : IpawsPhase::kExecuteGreedy, event.cycle);
}

void Ipaws::on_tb_end(const TbEvent& event) {
  PairedPolicies::on_tb_end(event);
  if (--resident_tbs_ == 0) record_.pause(event.cycle);
}

void Ipaws::on_warp_start(const WarpEvent& event) {
  PairedPolicies::on_warp_start(event);
  if (least_issued_) least_issued_->start(event.warp);
  if (event.launch_id == launch_) of_kernel_ |= warp_bit(event.warp);  // also of a TB that started without it
  if (adapting() && (of_kernel_ & warp_bit(event.warp)) != 0) {
    pattern_.start(event.cycle, event.warp, event.tb_slot);
    record_.start(event.warp);
  }
}

void Ipaws::on_issue(const IssueEvent& event) {
  PairedPolicies::on_issue(event);
  if (least_issued_) least_issued_->count_issue(event.warp);
  if (!adapting()) return;
  if (event.cycle != issued_at_ && waiting_ != 0) pattern_.count_barrier(waiting_, table_);
  issued_at_ = event.cycle;
  if ((of_kernel_ & warp_bit(event.warp)) != 0) {
    pattern_.count_issue(event.warp, table_.tb_slot[event.warp]);
    record_.count_issue(event.warp);
  }
}

void Ipaws::on_barrier_arrive(const BarrierEvent& event) {
  PairedPolicies::on_barrier_arrive(event);
  waiting_ |= event.warps & of_kernel_;
}

void Ipaws::on_barrier_release(const BarrierEvent& event) {
  PairedPolicies::on_barrier_release(event);
  waiting_ &= ~event.warps;
}

void Ipaws::on_stall(const StallEvent& event) {
  PairedPolicies::on_stall(event);
  const WarpMask passed = event.passed & of_kernel_;
  if (!adapting() || passed == 0) return;
  pattern_.count_stall(event.first_cycle + event.cycles - 1, event.cycles, passed, table_);
}

void Ipaws::on_warp_finish(const WarpEvent& event) {
  PairedPolicies::on_warp_finish(event);
  const WarpMask warp = warp_bit(event.warp);
  if ((of_kernel_ & warp) == 0) return;
  if (adapting()) judge(event.cycle);
  of_kernel_ &= ~warp;
  if (event.warp == newest_) newest_finished_ = true;
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
    if (config_.decider == IpawsDecider::kFirstSm) channel_.post(cycle, convex_ ? 1 : 0, launch_);
  }
  if (config_.decider == IpawsDecider::kFirstSm) return kNever;
  if (cycle == result_at_) return cycle + 1;
  decide(cycle, convex_);
  return kNever;
}

void Ipaws::on_note(const PolicyNote& note) {
  const bool convex = note.kind != 0;
  if (decision_.made && note.value <= decision_.launch) return;  // the first one counts
  decision_ = {true, note.value, convex};
  if (!any_kernel_ || note.value != launch_) return;
  if (adapting()) note_recover_target();
  decide(note.cycle + 1, convex);
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
  if (least_issued_) least_issued_->trace(sink);
}

}  // namespace heddle
