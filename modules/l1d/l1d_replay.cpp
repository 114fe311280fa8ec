// The L1D's re-execution queue: which access is looked up, and which has to wait there.
#include "modules/l1d/l1d.h"

namespace heddle {

void L1d::replay_misses(MissReplay& replay, MshrReady& ready) {
  replay_ = &replay;
  ready_ = &ready;
}

/// One access is looked up at an edge. A waiting one that the MSHRs can take takes turns with the pipe; one
/// that they can't take, but that may hit by now, is looked up when no access is at the pipe's exit.
bool L1d::replay_turn(bool pipe_waits) {
  if (replay_->empty() || withheld_ == Sender::kPipe) return false;
  if (pipe_waits && replayed_) {
    replayed_ = false;
    return false;
  }
  if (!pipe_waits) return true;
  const bool takes_it =
      mshr.can_send() && ready_->has_room() && replay_->may_miss(request_of(replay_->front())->warp);
  if (takes_it) return true;
  // The access at the pipe's exit may have to be pushed: with one port it goes before.
  rotate_later_ = replay_->one_push_a_cycle();
  if (!rotate_later_) replay_->rotate(domain().cycle(), false);
  return false;
}

void L1d::serve_replay() {
  replaying_ = true;
  replayed_ = true;
  tlm::tlm_generic_payload& payload = replay_->front();
  const Refusal reason = serve(payload, *request_of(payload));
  if (reason != Refusal::kNone) replay_->rotate(domain().cycle(), true);
  replaying_ = false;
}

/// Until the MSHRs have room or answer, or a bypass comes, edges are alike: the access at the pipe's exit
/// stays there for the same reason, and the queue, of which nothing is looked up, makes its front the last.
bool L1d::rotates_only(bool had_response) const {
  const bool stays =
      head_ == Head::kBlocked && (blocked_ == Refusal::kReplay || blocked_ == Refusal::kLineReserved);
  return stays && !replayed_ && !had_response && mshr.no_responses() && mshr.can_send() &&
         !ready_->has_room() && bypass_.empty() && writebacks_.empty() && !wave_;
}

void L1d::rotate_until(Cycle cycle) {
  if (cycle <= rotated_until_) return;
  replay_->rotate_each(rotated_until_ + 1, cycle);
  rotated_until_ = cycle;
}

Refusal L1d::why_not_now(const tlm::tlm_generic_payload& payload, const MemoryRequest& request) const {
  if (withheld_ != Sender::kNone) return request_of(*mshr.awaiting_accept())->refusal;
  if (!mshr.can_send()) return Refusal::kBankBusy;
  const Refusal reason = ready_->refusal_of(payload);
  if (reason != Refusal::kNone || ready_->fetches(payload) || replay_->may_miss(request.warp)) return reason;
  return Refusal::kReplay;
}

Refusal L1d::wait_for_replay(tlm::tlm_generic_payload& payload, const MemoryRequest& request,
                             Refusal reason) {
  if (reason == Refusal::kBankBusy) return reason;
  if (!replay_->can_take(request)) return Refusal::kReplay;
  head_ = Head::kQueued;
  leave_exit();
  replay_->push(payload, domain().cycle());
  if (accessed.heard()) tell_access(payload, request, L1dOutcome::kQueued, request.warp);
  return Refusal::kNone;
}

void L1d::leave_exit() {
  if (replaying_) {
    replay_->pop(domain().cycle());
  } else {
    pipe_.pop();
  }
}

}  // namespace heddle
