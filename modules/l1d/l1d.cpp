#include "modules/l1d/l1d.h"

#include <fmt/format.h>

#include "modules/config/setting_error.h"
#include "modules/counts/launch_counts.h"
#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

const L1dConfig& checked(const L1dConfig& config, unsigned latency_cycles) {
  if (latency_cycles == 0) throw SettingError("ldst.l1_latency_cycles", "expected at least 1, found 0");
  if (config.cache.line_bytes > kLineBytes) {
    throw SettingError("l1d.cache.line_bytes",
                       fmt::format("expected at most {}, found {}", kLineBytes, config.cache.line_bytes));
  }
  return config;
}

/// The bypassing ones, whose place is the way round the pipe.
bool bypasses(const MemoryRequest& request) {
  return request.bypass_l1d || request.kind == RequestKind::kAtomic;
}

}  // namespace

L1d::L1d(const sc_core::sc_module_name& name, ClockDomain& domain, const L1dConfig& config,
         unsigned latency_cycles, std::uint16_t sm)
    : sc_module(name),
      Clocked(domain, tick_order::kMemory, this->name(), &tick_of<L1d>),
      cpu("cpu", *this, static_cast<TargetPort::Gate&>(*this), this),
      mshr("mshr", *this),
      config_(checked(config, latency_cycles)),
      latency_cycles_(latency_cycles),
      sm_(sm),
      tags_(config.cache),
      pipe_(latency_cycles),
      bypass_(kBypassDepth),
      // While the MSHR takes nothing, nothing leaves the pipe, so that at most every line can be evicted.
      writebacks_(config.cache.sets * config.cache.ways) {}

bool L1d::idle() const {
  return cpu.no_requests() && pipe_.empty() && (replay_ == nullptr || replay_->empty()) && bypass_.empty() &&
         writebacks_.empty() && writebacks_in_flight_ == 0 && mshr.no_responses();
}

Refusal L1d::why_full(bool bypass) const {
  if (!bypass && blocked_ != Refusal::kNone) return blocked_;
  if (tlm::tlm_generic_payload* withheld = mshr.awaiting_accept(); withheld != nullptr) {
    return request_of(*withheld)->refusal;
  }
  return Refusal::kBankBusy;
}

TargetPort::Gate::Answer L1d::admit(tlm::tlm_generic_payload& payload) {
  MemoryRequest* request = request_of(payload);
  if (request == nullptr) return admit_foreign(payload);
  if (!config_.enabled) request->bypass_l1d = true;
  const bool bypass = bypasses(*request);
  Ring<Access>& queue = bypass ? bypass_ : pipe_;
  if (queue.full()) {
    const Refusal before = request->refusal;
    request->refusal = why_full(bypass);
    return request->refusal == before ? Answer::kWithheld : Answer::kOtherReason;
  }
  request->refusal = Refusal::kNone;
  request->enter(Stage::kL1d, domain().time());
  enter(queue, payload, bypass);
  return Answer::kTaken;
}

void L1d::enter(Ring<Access>& queue, tlm::tlm_generic_payload& payload, bool bypass) {
  const Cycle wait = bypass ? 1 : latency_cycles_;
  const Cycle ready = domain().cycle_now() + wait;
  if (queue.empty()) {
    wake_in(wait);
    if (!bypass) timer_ = ready;
  }
  queue.push({&payload, ready});
  if (wave_) update_wave();
}

SectorMask L1d::sectors_of(const tlm::tlm_generic_payload& payload) const {
  const std::uint64_t offset = payload.get_address() - tags_.line_address(payload.get_address());
  const std::uint64_t first = offset / kSectorBytes;
  const std::uint64_t last = (offset + payload.get_data_length() - 1) / kSectorBytes;
  return static_cast<SectorMask>(((2U << last) - (1U << first)) & tags_.all_sectors());
}

bool L1d::send(tlm::tlm_generic_payload& payload, Sender sender) {
  mshr.send(payload);
  if (mshr.awaiting_accept() == nullptr) return true;
  withheld_ = sender;
  return false;
}

void L1d::finish_withheld_send() {
  if (withheld_ == Sender::kNone || mshr.awaiting_accept() != nullptr) return;
  const Sender sender = withheld_;
  withheld_ = Sender::kNone;
  if (sender == Sender::kPipe) {
    tlm::tlm_generic_payload& payload = *pipe_.front().payload;
    left_for_mshr(payload, *request_of(payload));
  } else if (sender == Sender::kBypass) {
    bypass_left();
  } else {
    writebacks_.pop();
  }
}

void L1d::count(const MemoryRequest& request, std::uint64_t L1dCounts::*figure) {
  ++(counters_.*figure);
  if (request.counts != nullptr) ++(request.counts->l1d.*figure);
}

Refusal L1d::answer(tlm::tlm_generic_payload& payload) {
  leave_exit();
  hit_answered_ = true;
  respond(payload);
  return Refusal::kNone;
}

void L1d::respond(tlm::tlm_generic_payload& payload) {
  if (!foreign_.made(*request_of(payload))) {
    cpu.respond(payload);
    return;
  }
  foreign_answered(tags_.line_address(payload.get_address()));
  tlm::tlm_generic_payload& request = foreign_.end(payload);
  cpu.respond(request);
}

Refusal L1d::send_from_pipe(tlm::tlm_generic_payload& payload) {
  if (withheld_ != Sender::kNone) return request_of(*mshr.awaiting_accept())->refusal;
  if (!mshr.can_send()) return Refusal::kBankBusy;
  bypass_sent_ = false;
  MemoryRequest& request = *request_of(payload);
  if (!send(payload, Sender::kPipe)) return request.refusal;
  left_for_mshr(payload, request);
  return Refusal::kNone;
}

void L1d::left_for_mshr(tlm::tlm_generic_payload& payload, MemoryRequest& request) {
  leave_exit();
  const std::uint64_t address = payload.get_address();
  const unsigned set = tags_.set_of(address);
  unsigned line = tags_.find(address, set);
  if (request.kind == RequestKind::kStore) {
    head_ = Head::kStore;
    count(request, &L1dCounts::stores);
    const bool present = line != TagArray::kNoLine && tags_.line(line).state != LineState::kReserved;
    if (present) {
      count(request, &L1dCounts::store_hits);
      tags_.invalidate(line);
    }
    if (request.stands_for != nullptr && response_under_way(tags_.line_address(address))) {
      forget_data(address, payload.get_data_length());
    }
    if (stored.heard()) tell_store(payload, request, present);
    return;
  }
  count(request, &L1dCounts::loads);
  if (!request.primary) {
    head_ = Head::kPendingHit;
    count(request, &L1dCounts::pending_hits);
    if (line != TagArray::kNoLine) tags_.touch(line);
    if (request.line_warp == request.warp) count(request, &L1dCounts::intra_warp_pending_hits);
    tell_load_left(request, L1dOutcome::kMerged);
    if (accessed.heard()) tell_access(payload, request, L1dOutcome::kMerged, request.line_warp);
    return;
  }
  head_ = Head::kMiss;
  count(request, &L1dCounts::misses);
  tell_load_left(request, L1dOutcome::kMiss);
  if (accessed.heard()) tell_access(payload, request, L1dOutcome::kMiss, request.warp);
  if (config_.allocate == AllocatePolicy::kOnFill) return;
  if (line == TagArray::kNoLine) line = tags_.victim(set);
  evict(tags_.reserve(line, address, tags_.all_sectors()), line, request);
  note_filler(LineIndex(line), WarpSlot(request.warp));
}

Refusal L1d::serve(tlm::tlm_generic_payload& payload, MemoryRequest& request) {
  return request.stands_for == nullptr ? look_up(payload, request) : serve_foreign(payload, request);
}

Refusal L1d::look_up(tlm::tlm_generic_payload& payload, MemoryRequest& request) {
  line_under_way_ = false;
  const std::uint64_t address = payload.get_address();
  const unsigned set = tags_.set_of(address);
  const unsigned line = tags_.find(address, set);
  const bool present = line != TagArray::kNoLine && tags_.line(line).state != LineState::kReserved;
  const bool store = request.kind == RequestKind::kStore;
  if (present && (!store || request.local)) {
    if (!cpu.can_respond()) return Refusal::kBankBusy;
    request.hit = true;
    if (store) {
      head_ = Head::kStore;
      count(request, &L1dCounts::stores);
      count(request, &L1dCounts::store_hits);
      tags_.write(line, address, sectors_of(payload));
      if (data_ != nullptr) data_->forget(line);
    } else {
      head_ = Head::kHit;
      count(request, &L1dCounts::loads);
      count(request, &L1dCounts::hits);
      const std::uint32_t filler = tags_.line(line).filler;
      if (filler == request.warp) count(request, &L1dCounts::intra_warp_hits);
      tell_load_left(request, L1dOutcome::kHit);
      if (accessed.heard())
        tell_access(payload, request, L1dOutcome::kHit, told_filler(LineIndex(line), filler));
      tags_.touch(line);
    }
    return answer(payload);
  }
  if (store) return send_from_pipe(payload);
  const std::uint64_t line_address = tags_.line_address(address);
  // The MSHR has given up the entry of a line that it has passed on: another miss would fetch it again.
  if (response_under_way(line_address)) {
    line_under_way_ = true;
    return Refusal::kLineReserved;
  }
  if (replaying_) {  // why it has to stay is all one
    const Refusal reason = why_not_now(payload, request);
    if (reason != Refusal::kNone) return reason;
  }
  if (line == TagArray::kNoLine && tags_.all_reserved(set)) return Refusal::kLineReserved;
  request.sector_mask =
      static_cast<std::uint8_t>(tags_.all_sectors() << (line_address % kLineBytes / kSectorBytes));
  if (replay_ != nullptr && !replaying_ && request.stands_for == nullptr) {
    const Refusal reason = why_not_now(payload, request);
    if (reason != Refusal::kNone) return wait_for_replay(payload, request, reason);
  }
  return send_from_pipe(payload);
}

void L1d::serve_pipe() {
  if (head_ != Head::kEmpty) return;  // one access left at this edge already
  const bool pipe_waits = !pipe_.empty() && pipe_.front().ready <= domain().cycle();
  if (replay_ != nullptr && replay_turn(pipe_waits)) {
    serve_replay();
    passed_over_ = pipe_waits;
    if (!pipe_waits) {
      blocked_ = Refusal::kNone;
    } else if (blocked_ == Refusal::kNone) {
      blocked_ = Refusal::kBankBusy;
    }
    return;
  }
  if (!pipe_waits) {
    blocked_ = Refusal::kNone;
    return;
  }
  tlm::tlm_generic_payload& payload = *pipe_.front().payload;
  MemoryRequest& request = *request_of(payload);
  const Refusal reason = withheld_ == Sender::kPipe ? request.refusal : serve(payload, request);
  if (rotate_later_) {
    rotate_later_ = false;
    if (head_ != Head::kQueued) replay_->rotate(domain().cycle(), false);
  }
  if (reason != Refusal::kNone) {
    head_ = Head::kBlocked;
    if (reason != blocked_) {
      ++blocked_accesses_[static_cast<unsigned>(reason)];
      if (accessed.heard() && request.kind == RequestKind::kLoad) {
        tell_access(payload, request, L1dOutcome::kRefused, request.warp, reason);
      }
    }
  }
  blocked_ = reason;
}

void L1d::serve_bypass() {
  if (bypass_.empty() || !mshr.can_send() || bypass_.front().ready > domain().cycle()) return;
  bypass_sent_ = true;
  if (send(*bypass_.front().payload, Sender::kBypass)) bypass_left();
}

void L1d::bypass_left() {
  tlm::tlm_generic_payload& payload = *bypass_.front().payload;
  bypass_.pop();
  count(*request_of(payload), &L1dCounts::bypasses);
  if (request_of(payload)->kind == RequestKind::kLoad) return;
  // The line would be stale: atomics, and stores that bypass, change it below.
  const unsigned line = tags_.find(payload.get_address());
  const bool present = line != TagArray::kNoLine && tags_.line(line).state != LineState::kReserved;
  if (present) tags_.invalidate(line);
  if (stored.heard()) tell_store(payload, *request_of(payload), present);
}

void L1d::serve_writebacks() {
  if (writebacks_.empty() || !mshr.can_send()) return;
  if (send(*writebacks_.front().payload, Sender::kWriteback)) writebacks_.pop();
}

void L1d::send_requests() {
  serve_writebacks();
  if (bypass_sent_) {
    serve_pipe();
    serve_bypass();
  } else {
    serve_bypass();
    serve_pipe();
  }
}

bool L1d::tick() {
  mshr.begin_tick();
  charge_blocked(domain().cycle() - 1);
  if (rotates_asleep_) {
    rotate_until(domain().cycle() - 1);
    rotates_asleep_ = false;
  }
  const bool had_response = mshr.has_response();
  head_ = Head::kEmpty;
  passed_over_ = false;
  finish_withheld_send();
  if (head_ != Head::kEmpty) blocked_ = Refusal::kNone;
  write_response();
  if (hit_answered_) {
    pass_response();
    send_requests();
  } else {
    send_requests();
    pass_response();
  }
  cpu.begin_tick();
  charge_blocked(domain().cycle());
  if (wave_) update_wave();
  return awake_next(had_response);
}

/// The access at the pipe's exit is held up until a message comes, and nothing else can leave before.
bool L1d::head_waits_for_message() const {
  // The MSHR announces when it accepts the access, and when it refuses it for another reason.
  if (withheld_ == Sender::kPipe) return blocked_ != Refusal::kNone;
  // Lines are filled, and so become victims, when responses come.
  return blocked_ == Refusal::kLineReserved && withheld_ == Sender::kNone && bypass_.empty() &&
         writebacks_.empty();
}

bool L1d::awake_next(bool had_response) {
  if (replay_ != nullptr && !replay_->empty()) {
    if (!rotates_only(had_response)) return true;
    rotates_asleep_ = true;
    rotated_until_ = domain().cycle();
    ready_->call(*this);
    return false;
  }
  // What held it up may have gone at this very edge.
  if (passed_over_) return true;
  // A response that was passed on after the look-up may have been the one that the look-up waits for.
  const bool look_again = had_response && line_under_way_;
  if (!mshr.has_response() && !look_again && head_waits_for_message()) return false;
  if (withheld_ != Sender::kNone || !bypass_.empty() || !writebacks_.empty() || mshr.has_response())
    return true;
  if (wave_ && head_ != Head::kEmpty) return true;  // to show that it has gone
  if (pipe_.empty()) return false;
  const Cycle now = domain().cycle();
  const Cycle ready = pipe_.front().ready;
  if (ready <= now + 1) return true;
  if (timer_ != ready) {
    timer_ = ready;
    wake_in(ready - now);
  }
  return false;
}

}  // namespace heddle
