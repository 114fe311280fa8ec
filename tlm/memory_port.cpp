#include "tlm/memory_port.h"

#include <string>

namespace heddle {

namespace {

constexpr const char* kReportId = "/heddle/port";

Ticks present_time() { return sc_core::sc_time_stamp().value(); }

void report_phase(const char* where, const tlm::tlm_phase& phase) {
  SC_REPORT_ERROR(kReportId, (std::string(where) + " received the unexpected phase " + phase.get_name()).c_str());
}

}  // namespace

InitiatorPort::InitiatorPort(const char* name, Clocked& owner, unsigned response_depth)
    : socket(name), owner_(owner), responses_(response_depth) {
  socket.bind(*this);
}

void InitiatorPort::begin_tick() {
  tlm::tlm_generic_payload* accepted = responses_.accept_offer(owner_.domain().now());
  if (accepted == nullptr) return;
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_fw(*accepted, phase, delay);
}

bool InitiatorPort::can_send() const { return awaiting_ == nullptr && owner_.domain().now() >= free_at_; }

void InitiatorPort::send(tlm::tlm_generic_payload& payload) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  awaiting_ = &payload;
  const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
  const Ticks now = owner_.domain().now();
  if (status == tlm::TLM_ACCEPTED) return;
  awaiting_ = nullptr;
  if (status == tlm::TLM_COMPLETED) {  // request and response at once, at now + delay
    free_at_ = now + delay.value();
    take_response(payload, delay.value());
    return;
  }
  if (phase == tlm::END_REQ) {
    free_at_ = now + delay.value();
  } else if (phase == tlm::BEGIN_RESP) {  // implies END_REQ
    free_at_ = now + delay.value();
    if (take_response(payload, delay.value())) {
      phase = tlm::END_RESP;
      socket->nb_transport_fw(payload, phase, delay);
    }
  } else {
    report_phase("an initiator's send", phase);
  }
  if (free_at_ <= now) free_at_ = now + 1;
}

bool InitiatorPort::take_response(tlm::tlm_generic_payload& payload, Ticks delay) {
  const Ticks now = present_time();
  owner_.wake_after(now + delay);
  return responses_.offer(payload, now, now + delay);
}

void InitiatorPort::pop_response() {
  responses_.pop(owner_.domain().now());
  // An offered response is accepted at a later edge, by begin_tick(); a queued one is looked at then.
  if (!responses_.empty()) owner_.wake();
}

tlm::tlm_sync_enum InitiatorPort::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ) {
    awaiting_ = nullptr;
    free_at_ = present_time() + delay.value() + 1;
    owner_.wake_after(present_time() + delay.value());
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::BEGIN_RESP) {
    if (awaiting_ == &payload) {  // BEGIN_RESP without END_REQ implies it
      awaiting_ = nullptr;
      free_at_ = present_time() + delay.value() + 1;
    }
    if (!take_response(payload, delay.value())) return tlm::TLM_ACCEPTED;
    phase = tlm::END_RESP;
    delay += owner_.domain().period();
    return tlm::TLM_COMPLETED;
  }
  report_phase("an initiator", phase);
  return tlm::TLM_ACCEPTED;
}

void InitiatorPort::invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) {}

TargetPort::TargetPort(const char* name, Clocked& owner, unsigned depth, Backdoor* backdoor)
    : socket(name), owner_(owner), requests_(depth), backdoor_(backdoor) {
  socket.bind(*this);
}

void TargetPort::begin_tick() {
  tlm::tlm_generic_payload* accepted = requests_.accept_offer(owner_.domain().now());
  if (accepted == nullptr) return;
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(*accepted, phase, delay);
}

void TargetPort::pop_request() {
  requests_.pop(owner_.domain().now());
  if (!requests_.empty()) owner_.wake();
}

bool TargetPort::can_respond() const {
  return awaiting_end_ == nullptr && owner_.domain().now() >= free_at_;
}

void TargetPort::respond(tlm::tlm_generic_payload& payload) {
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const Ticks now = owner_.domain().now();
  awaiting_end_ = &payload;
  const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
  // The payload may be gone from here on when it was completed.
  if (status == tlm::TLM_ACCEPTED) return;
  if (awaiting_end_ == &payload) awaiting_end_ = nullptr;
  free_at_ = now + delay.value();
  if (free_at_ <= now) free_at_ = now + 1;
}

tlm::tlm_sync_enum TargetPort::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
  const Ticks now = present_time();
  if (phase == tlm::BEGIN_REQ) {
    const bool accepted = requests_.offer(payload, now, now + delay.value());
    owner_.wake_after(now + delay.value());
    if (!accepted) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    delay += owner_.domain().period();
    return tlm::TLM_UPDATED;
  }
  if (phase == tlm::END_RESP) {
    awaiting_end_ = nullptr;
    free_at_ = now + delay.value() + 1;
    owner_.wake_after(now + delay.value());
    return tlm::TLM_COMPLETED;
  }
  report_phase("a target", phase);
  return tlm::TLM_ACCEPTED;
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
