#include "tlm/memory_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace heddle {

namespace {

constexpr const char* kReportId = "/heddle/port";

/// Annotation of the first edge of `domain` strictly after now + delay: a place in a queue takes one edge to
/// be used again, and what it holds can't be answered earlier, so that annotated times never decrease.
sc_core::sc_time until_next_edge(const ClockDomain& domain, const sc_core::sc_time& delay) {
  const Ticks now = domain.time();
  if (delay.value() == 0 && now == domain.now()) return domain.period();
  return sc_core::sc_time::from_value(domain.edge_after(now + delay.value()) - now);
}

/// An extended phase that is not ours (IEEE 1666-2011, 15.2.5).
bool ignorable(const tlm::tlm_phase& phase) { return phase > tlm::END_RESP; }

[[gnu::cold, gnu::noinline]] void report_phase(const char* socket, const tlm::tlm_phase& phase,
                                               const char* expected) {
  SC_REPORT_ERROR(
      kReportId,
      (std::string(socket) + " received the phase " + phase.get_name() + "; expected " + expected).c_str());
}

/// Breaks an exclusion rule of the base protocol.
[[gnu::cold, gnu::noinline]] void report_second(const char* socket, const tlm::tlm_generic_payload& payload,
                                                const char* phase, const char* end) {
  SC_REPORT_ERROR(kReportId,
                  fmt::format("{} received {} for address {:#x}; expected none before it has given "
                              "{} for the one before",
                              socket, phase, payload.get_address(), end)
                      .c_str());
}

/// Belongs to nothing that is under way here.
[[gnu::cold, gnu::noinline]] void report_unasked(const char* socket, const tlm::tlm_generic_payload& payload,
                                                 const char* what, const char* expected) {
  SC_REPORT_ERROR(kReportId, fmt::format("{} received {} for address {:#x}; expected {}", socket, what,
                                         payload.get_address(), expected)
                                 .c_str());
}

}  // namespace

unsigned debug_access(MemoryInitiatorSocket& socket, tlm::tlm_generic_payload& payload) {
  const unsigned done = socket->transport_dbg(payload);
  if (done == 0 && payload.get_data_length() != 0 && socket.foreign_peer()) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  return done;
}

InitiatorPort::InitiatorPort(const char* name, Clocked& owner, unsigned response_depth)
    : owner_(owner), responses_(response_depth), socket(name) {
  socket.bind(*this);
}

void InitiatorPort::find_target() {
  target_ = socket.operator->();
  const auto* block = dynamic_cast<const NativeInterface*>(socket.peer());
  if (block == nullptr || !block->ticks()) sent_ = std::make_unique<SentRequests>();
}

bool InitiatorPort::asked_for(tlm::tlm_generic_payload& payload) {
  if (sent_->answered(payload)) return true;
  report_unasked(socket.name(), payload, "a response", "one to each request that it has sent");
  return false;
}

void InitiatorPort::hand_over() {
  hands_over_ = true;
  owner_.domain().hear_strands_at_edges();
}

void InitiatorPort::accept_responses() {
  const Ticks now = owner_.domain().now();
  if (tlm::tlm_generic_payload* accepted = responses_.accept_offer(now); accepted != nullptr) {
    if (apart()) {
      owner_.domain().hand_over(&say<&InitiatorPort::say_end>, this, *accepted);
    } else {
      say_end(*accepted);
    }
  }
  if (completed_.payload != nullptr && responses_.has_room(now)) {
    responses_.offer(*completed_.payload, now, completed_.arrival);
    completed_ = {};
  }
}

void InitiatorPort::send(tlm::tlm_generic_payload& payload) {
  awaiting_ = &payload;
  free_at_ = kNotAccepted;
  if (apart()) {
    unsaid_ = true;
    owner_.domain().hand_over(&say<&InitiatorPort::say_request>, this, payload);
  } else {
    say_request(payload);
  }
}

void InitiatorPort::say_end(tlm::tlm_generic_payload& payload) {
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay;
  target().nb_transport_fw(payload, phase, delay);
}

void InitiatorPort::say_request(tlm::tlm_generic_payload& payload) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  unsaid_ = false;
  tlm::tlm_fw_nonblocking_transport_if<>& target = this->target();  // finds out whether it is a block
  if (sent_ != nullptr) {
    sent_->sent(payload);
    saying_ = true;
  }
  const tlm::tlm_sync_enum status = target.nb_transport_fw(payload, phase, delay);
  saying_ = false;
  if (status == tlm::TLM_ACCEPTED) return;
  take_returned_acceptance(delay.value());
  if (status == tlm::TLM_COMPLETED) {  // request and response at once, at now + delay
    take_completed(payload, delay.value());
    return;
  }
  if (phase == tlm::BEGIN_RESP) {  // implies END_REQ
    if (take_response(payload, delay.value())) {
      phase = tlm::END_RESP;
      target_->nb_transport_fw(payload, phase, delay);
    }
  } else if (phase != tlm::END_REQ) {
    report_phase(socket.name(), phase, "END_REQ or BEGIN_RESP in the return of BEGIN_REQ");
  }
}

void InitiatorPort::take_completed(tlm::tlm_generic_payload& payload, Ticks delay) {
  if (sent_ != nullptr && !asked_for(payload)) return;
  const Ticks now = owner_.domain().time();
  activity_.raise();
  owner_.wake_after(now + delay);
  if (responses_.has_room(now)) {
    responses_.offer(payload, now, now + delay);
  } else {
    completed_ = {&payload, now + delay};
  }
}

bool InitiatorPort::take_response(tlm::tlm_generic_payload& payload, Ticks delay) {
  if (sent_ != nullptr && !asked_for(payload)) return false;
  if (responses_.has_offer()) {
    report_second(socket.name(), payload, "BEGIN_RESP", "END_RESP");
    return false;
  }
  const Ticks now = owner_.domain().time();
  activity_.raise();
  owner_.wake_after(now + delay);
  if (!ends_apart_) return responses_.offer(payload, now, now + delay);
  responses_.withhold(payload, now + delay);
  return false;
}

/// By the return of BEGIN_REQ.
void InitiatorPort::take_returned_acceptance(Ticks delay) {
  const Ticks now = owner_.domain().now();
  free_at_ = std::max<Ticks>(now + delay, now + 1);
  if (sent_ == nullptr || delay <= owner_.domain().period_ticks()) {
    awaiting_ = nullptr;
  } else {
    owner_.wake_after(free_at_ - 1);
  }
}

/// By a call of the target.
void InitiatorPort::take_acceptance(Ticks delay) {
  if (sent_ != nullptr) return take_strangers_acceptance(delay);
  activity_.raise();
  const Ticks now = owner_.domain().time();
  free_at_ = now + delay + 1;
  if (delay == 0) {
    awaiting_ = nullptr;
    owner_.wake_this_edge();
  } else {
    owner_.wake_after(now + delay);
  }
}

void InitiatorPort::take_strangers_acceptance(Ticks delay) {
  activity_.raise();
  if (saying_) return take_returned_acceptance(delay);
  const Ticks now = owner_.domain().time();
  free_at_ = now + delay + 1;
  if (delay == 0 && owner_.still_to_tick()) {
    awaiting_ = nullptr;
    owner_.wake_this_edge();
  } else {
    owner_.wake_after(now + delay);
  }
}

tlm::tlm_sync_enum InitiatorPort::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ) {
    if (awaiting_ != &payload || free_at_ != kNotAccepted) {
      report_unasked(socket.name(), payload, "END_REQ", "it once, of the request that waits for it");
      return tlm::TLM_ACCEPTED;
    }
    take_acceptance(delay.value());
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::BEGIN_RESP) {
    // BEGIN_RESP without END_REQ, or before its time, implies it.
    if (awaiting_ == &payload && owner_.domain().time() + delay.value() < free_at_) {
      take_strangers_acceptance(delay.value());
    }
    if (!take_response(payload, delay.value())) return tlm::TLM_ACCEPTED;
    phase = tlm::END_RESP;
    delay = until_next_edge(owner_.domain(), delay);
    return tlm::TLM_COMPLETED;
  }
  if (phase == REFUSAL_CHANGED) {
    owner_.wake_this_edge();
    return tlm::TLM_ACCEPTED;
  }
  if (!ignorable(phase)) report_phase(socket.name(), phase, "END_REQ or BEGIN_RESP on the backward path");
  return tlm::TLM_ACCEPTED;
}

void InitiatorPort::invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) {}

TargetPort::TargetPort(const char* name, Clocked& owner, unsigned depth, Backdoor* backdoor)
    : owner_(owner), requests_(depth), backdoor_(backdoor), socket(name) {
  socket.bind(*this);
}

TargetPort::TargetPort(const char* name, Clocked& owner, Gate& gate, Backdoor* backdoor)
    : owner_(owner), gate_(&gate), requests_(1), backdoor_(backdoor), socket(name) {
  socket.bind(*this);
}

void TargetPort::hand_over() {
  hands_over_ = true;
  owner_.domain().hear_strands_at_edges();
}

void TargetPort::accept_withheld() {
  const Ticks now = owner_.domain().now();
  tlm::tlm_generic_payload* accepted = gate_ == nullptr ? requests_.accept_offer(now) : ask_gate(now);
  if (accepted == nullptr) return;
  if (apart()) {
    owner_.domain().hand_over(&say<&TargetPort::say_acceptance>, this, *accepted);
  } else {
    say_acceptance(*accepted);
  }
}

void TargetPort::say_acceptance(tlm::tlm_generic_payload& payload) {
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay;
  initiator().nb_transport_bw(payload, phase, delay);
}

tlm::tlm_generic_payload* TargetPort::ask_gate(Ticks now) {
  if (!requests_.offered_by(now)) return nullptr;
  tlm::tlm_generic_payload& payload = *requests_.offered();
  const Gate::Answer answer = gate_->admit(payload);
  if (answer == Gate::Answer::kTaken) {
    requests_.withdraw();
    return &payload;
  }
  if (answer == Gate::Answer::kOtherReason) {
    tlm::tlm_phase phase = REFUSAL_CHANGED;
    sc_core::sc_time delay;
    initiator().nb_transport_bw(payload, phase, delay);
  }
  return nullptr;
}

void TargetPort::respond(tlm::tlm_generic_payload& payload) {
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  awaiting_end_ = &payload;
  if (apart()) {
    unsaid_ = true;
    owner_.domain().hand_over(&say<&TargetPort::say_response>, this, payload);
  } else {
    say_response(payload);
  }
}

void TargetPort::say_response(tlm::tlm_generic_payload& payload) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  unsaid_ = false;
  const Ticks now = owner_.domain().now();
  const tlm::tlm_sync_enum status = initiator().nb_transport_bw(payload, phase, delay);
  // The payload may be gone from here on when it was completed.
  if (status == tlm::TLM_ACCEPTED) return;
  if (awaiting_end_ == &payload) awaiting_end_ = nullptr;
  free_at_ = now + delay.value();
  if (free_at_ <= now) free_at_ = now + 1;
}

tlm::tlm_sync_enum TargetPort::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
  const Ticks now = owner_.domain().time();
  activity_.raise();
  if (phase == tlm::BEGIN_REQ) {
    if (requests_.has_offer()) {
      report_second(socket.name(), payload, "BEGIN_REQ", "END_REQ");
      return tlm::TLM_ACCEPTED;
    }
    if (!admitted(payload, now, now + delay.value())) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    delay = until_next_edge(owner_.domain(), delay);
    return tlm::TLM_UPDATED;
  }
  if (phase == tlm::END_RESP) {
    if (awaiting_end_ != &payload) {
      report_unasked(socket.name(), payload, "END_RESP", "it once, of the response that waits for it");
      return tlm::TLM_COMPLETED;
    }
    awaiting_end_ = nullptr;
    free_at_ = now + delay.value() + 1;
    owner_.wake_after(now + delay.value());
    return tlm::TLM_COMPLETED;
  }
  if (!ignorable(phase)) report_phase(socket.name(), phase, "BEGIN_REQ or END_RESP on the forward path");
  return tlm::TLM_ACCEPTED;
}

bool TargetPort::admitted(tlm::tlm_generic_payload& payload, Ticks now, Ticks arrival) {
  if (gate_ == nullptr) {
    owner_.wake_after(arrival);
    return requests_.offer(payload, now, arrival);
  }
  const bool asked = arrival == now;
  if (asked && gate_->admit(payload) == Gate::Answer::kTaken) return true;
  requests_.withhold(payload, arrival);
  if (!asked) owner_.wake_after(arrival);
  return false;
}

void TargetPort::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (backdoor_ == nullptr) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  backdoor_->b_transport(payload, delay);
}

bool TargetPort::get_direct_mem_ptr(tlm::tlm_generic_payload& /*payload*/, tlm::tlm_dmi& dmi) {
  dmi.init();
  return false;
}

unsigned TargetPort::transport_dbg(tlm::tlm_generic_payload& payload) {
  return backdoor_ == nullptr ? 0 : backdoor_->transport_dbg(payload);
}

}  // namespace heddle
