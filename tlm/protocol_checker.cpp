#include "tlm/protocol_checker.h"

#include <numeric>
#include <sstream>

namespace heddle {

namespace {

bool of_base_protocol(const tlm::tlm_phase& phase) {
  return phase == tlm::BEGIN_REQ || phase == tlm::END_REQ || phase == tlm::BEGIN_RESP ||
         phase == tlm::END_RESP;
}

sc_core::sc_time at(const sc_core::sc_time& delay) { return sc_core::sc_time_stamp() + delay; }

std::string name_of(tlm::tlm_sync_enum status) {
  if (status == tlm::TLM_ACCEPTED) return "TLM_ACCEPTED";
  return status == tlm::TLM_UPDATED ? "TLM_UPDATED" : "TLM_COMPLETED";
}

}  // namespace

const char* to_string(ProtocolRule rule) {
  static constexpr std::array<const char*, kNumProtocolRules> kNames{"phase order",
                                                                     "request exclusion",
                                                                     "response exclusion",
                                                                     "return value",
                                                                     "accepted, but modified",
                                                                     "timing annotation",
                                                                     "memory manager",
                                                                     "reference",
                                                                     "status at request",
                                                                     "status at response",
                                                                     "DMI at request",
                                                                     "streaming width",
                                                                     "data",
                                                                     "attribute changed",
                                                                     "in flight at the end"};
  return kNames[static_cast<unsigned>(rule)];
}

ProtocolChecker::Transaction::Transaction(const Payload& payload)
    : command(payload.get_command()),
      address(payload.get_address()),
      below(address),
      above(address),
      data(payload.get_data_ptr()),
      length(payload.get_data_length()),
      byte_enables(payload.get_byte_enable_ptr()),
      byte_enable_length(payload.get_byte_enable_length()),
      streaming_width(payload.get_streaming_width()) {}

bool ProtocolChecker::Transaction::same_attributes(const Payload& payload) const {
  return command == payload.get_command() && data == payload.get_data_ptr() &&
         length == payload.get_data_length() && byte_enables == payload.get_byte_enable_ptr() &&
         byte_enable_length == payload.get_byte_enable_length() &&
         streaming_width == payload.get_streaming_width();
}

ProtocolChecker::ProtocolChecker(const sc_core::sc_module_name& name, bool idle_at_end)
    : sc_module(name), from_initiator("from_initiator"), to_target("to_target"), idle_at_end_(idle_at_end) {
  from_initiator.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  to_target.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

std::uint64_t ProtocolChecker::violations() const {
  return std::accumulate(violations_.begin(), violations_.end(), std::uint64_t{0});
}

void ProtocolChecker::violate(ProtocolRule rule, const std::string& what, const tlm::tlm_phase& phase,
                              std::uint64_t address) {
  ++violations_[static_cast<unsigned>(rule)];
  std::ostringstream text;
  text << to_string(rule) << ": " << what << " (hop " << name() << ", phase " << phase.get_name()
       << ", address 0x" << std::hex << address << ")";
  SC_REPORT_ERROR("/heddle/protocol", text.str().c_str());
}

void ProtocolChecker::check_request(const Payload& payload, const tlm::tlm_phase& phase) {
  const auto require = [&](bool condition, ProtocolRule rule, const char* what) {
    if (!condition) violate(rule, what, phase, payload.get_address());
  };
  require(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, ProtocolRule::kStatusAtRequest,
          "a request must begin with TLM_INCOMPLETE_RESPONSE");
  require(!payload.is_dmi_allowed(), ProtocolRule::kDmiAtRequest,
          "a request must begin with DMI not allowed");
  require(payload.get_streaming_width() != 0, ProtocolRule::kStreamingWidth, "the streaming width is 0");
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) {
    require(payload.get_data_length() != 0 && payload.get_data_ptr() != nullptr, ProtocolRule::kData,
            "a read or write needs a data pointer and a length");
  }
  require(payload.get_byte_enable_ptr() == nullptr || payload.get_byte_enable_length() != 0,
          ProtocolRule::kData, "byte enables need a length");
}

void ProtocolChecker::request_done(const Payload& payload, const sc_core::sc_time& time) {
  if (request_.busy != &payload) return;
  request_.busy = nullptr;
  request_.free_at = time;
}

void ProtocolChecker::begin_request(const Payload& payload, const sc_core::sc_time& time) {
  const tlm::tlm_phase phase = tlm::BEGIN_REQ;
  const std::uint64_t address = payload.get_address();
  ++begun_;
  if (!payload.has_mm()) {
    violate(ProtocolRule::kMemoryManager, "the transaction has no memory manager", phase, address);
  } else if (payload.get_ref_count() < 1) {
    violate(ProtocolRule::kReference, "nobody holds a reference to the transaction", phase, address);
  }
  check_request(payload, phase);
  if (request_.busy != nullptr) {
    violate(ProtocolRule::kRequestExclusion, "the END_REQ of the request before is outstanding", phase,
            address);
  } else if (time < request_.free_at) {
    violate(ProtocolRule::kRequestExclusion,
            "annotated before the END_REQ of the request before, at " + request_.free_at.to_string(), phase,
            address);
  }
  if (transactions_.count(&payload) != 0) {
    violate(ProtocolRule::kPhaseOrder, "the transaction is in flight already", phase, address);
    transactions_.erase(&payload);
  }
  transactions_.emplace(&payload, Transaction(payload)).first->second.time = time;
  request_.busy = &payload;
}

ProtocolChecker::Transaction* ProtocolChecker::known(const Payload& payload, const tlm::tlm_phase& phase,
                                                     const sc_core::sc_time& time) {
  Transaction* const found = in_flight(payload);
  if (found == nullptr) {
    violate(ProtocolRule::kPhaseOrder, "the transaction is not in flight", phase, 0);
    return nullptr;
  }
  Transaction& transaction = *found;
  if (time < transaction.time) {
    violate(ProtocolRule::kTimingDecreased,
            "annotated to " + time.to_string() + " after " + transaction.time.to_string(), phase,
            transaction.address);
  }
  transaction.time = time;
  return &transaction;
}

void ProtocolChecker::check_unchanged(const Payload& payload, Transaction& transaction,
                                      const tlm::tlm_phase& phase) {
  if (transaction.handed_on) transaction.below = payload.get_address();
  if (!transaction.same_attributes(payload) || !transaction.known_address(payload.get_address())) {
    violate(ProtocolRule::kAttributeChanged, "an attribute differs from the one at BEGIN_REQ", phase,
            transaction.address);
  }
  if (payload.has_mm() && payload.get_ref_count() < 1) {
    violate(ProtocolRule::kReference, "nobody holds a reference to the transaction", phase,
            transaction.address);
  }
}

ProtocolChecker::Transaction* ProtocolChecker::in_flight(const Payload& payload) {
  const auto found = transactions_.find(&payload);
  return found == transactions_.end() ? nullptr : &found->second;
}

void ProtocolChecker::end_request(const Payload& payload, const sc_core::sc_time& time) {
  Transaction* transaction = known(payload, tlm::END_REQ, time);
  if (transaction == nullptr) return;
  check_unchanged(payload, *transaction, tlm::END_REQ);
  if (transaction->phase != tlm::BEGIN_REQ) {
    violate(ProtocolRule::kPhaseOrder, std::string("END_REQ after ") + transaction->phase.get_name(),
            tlm::END_REQ, transaction->address);
    return;
  }
  transaction->phase = tlm::END_REQ;
  request_done(payload, time);
}

void ProtocolChecker::begin_response(const Payload& payload, const sc_core::sc_time& time) {
  const tlm::tlm_phase phase = tlm::BEGIN_RESP;
  Transaction* transaction = known(payload, phase, time);
  if (transaction == nullptr) return;
  check_unchanged(payload, *transaction, phase);
  if (transaction->phase != tlm::BEGIN_REQ && transaction->phase != tlm::END_REQ) {
    violate(ProtocolRule::kPhaseOrder, std::string("BEGIN_RESP after ") + transaction->phase.get_name(),
            phase, transaction->address);
    return;
  }
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
    violate(ProtocolRule::kStatusAtResponse, "the response status is not set", phase, transaction->address);
  }
  if (response_.busy != nullptr) {
    violate(ProtocolRule::kResponseExclusion, "the END_RESP of the response before is outstanding", phase,
            transaction->address);
  } else if (time < response_.free_at) {
    violate(ProtocolRule::kResponseExclusion,
            "annotated before the END_RESP of the response before, at " + response_.free_at.to_string(),
            phase, transaction->address);
  }
  transaction->phase = phase;
  request_done(payload, time);
  response_.busy = &payload;
}

void ProtocolChecker::end_response(const Payload& payload, const sc_core::sc_time& time, bool still_owned) {
  Transaction* transaction = known(payload, tlm::END_RESP, time);
  if (transaction == nullptr) return;
  if (still_owned) check_unchanged(payload, *transaction, tlm::END_RESP);
  if (transaction->phase != tlm::BEGIN_RESP) {
    violate(ProtocolRule::kPhaseOrder, std::string("END_RESP after ") + transaction->phase.get_name(),
            tlm::END_RESP, transaction->address);
    return;
  }
  if (response_.busy == &payload) response_ = {nullptr, time};
  transactions_.erase(&payload);
}

void ProtocolChecker::enter_phase(const Payload& payload, const tlm::tlm_phase& phase,
                                  const sc_core::sc_time& time) {
  if (phase == tlm::BEGIN_REQ) begin_request(payload, time);
  if (phase == tlm::END_REQ) end_request(payload, time);
  if (phase == tlm::BEGIN_RESP) begin_response(payload, time);
  if (phase == tlm::END_RESP) end_response(payload, time, true);
}

void ProtocolChecker::complete_early(const Payload& payload, const sc_core::sc_time& time) {
  const tlm::tlm_phase sent = tlm::BEGIN_REQ;
  Transaction* transaction = known(payload, sent, time);
  if (transaction == nullptr) return;
  check_unchanged(payload, *transaction, sent);
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
    violate(ProtocolRule::kStatusAtResponse, "completed without a response status", sent,
            transaction->address);
  }
  request_done(payload, time);
  transactions_.erase(&payload);
}

void ProtocolChecker::after_call(const Payload& payload, const tlm::tlm_phase& sent,
                                 const tlm::tlm_phase& returned, const sc_core::sc_time& sent_delay,
                                 const sc_core::sc_time& delay, tlm::tlm_sync_enum status) {
  // What ends a transaction is not followed by a look at its payload, which may be gone.
  Transaction* const transaction = in_flight(payload);
  const auto address = [&] { return transaction == nullptr ? 0 : transaction->address; };
  if (status == tlm::TLM_ACCEPTED) {
    if (returned != sent || delay != sent_delay) {
      violate(ProtocolRule::kAcceptedModified, "TLM_ACCEPTED with another phase or annotated time", sent,
              address());
    }
    return;
  }
  const bool legal = status == tlm::TLM_COMPLETED ? sent != tlm::END_REQ
                     : sent == tlm::BEGIN_REQ     ? returned == tlm::END_REQ || returned == tlm::BEGIN_RESP
                                                  : sent == tlm::BEGIN_RESP && returned == tlm::END_RESP;
  if (!legal) {
    violate(ProtocolRule::kReturnValue, "returned " + name_of(status) + " with phase " + returned.get_name(),
            sent, address());
  } else if (sent == tlm::BEGIN_RESP) {
    end_response(payload, at(delay), false);
  } else if (sent == tlm::BEGIN_REQ && status == tlm::TLM_COMPLETED) {
    complete_early(payload, at(delay));
  } else if (sent == tlm::BEGIN_REQ) {
    enter_phase(payload, returned, at(delay));
  }
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  const tlm::tlm_phase sent = phase;
  const sc_core::sc_time sent_delay = delay;
  if (!of_base_protocol(sent)) return to_target->nb_transport_fw(payload, phase, delay);
  if (sent == tlm::END_REQ || sent == tlm::BEGIN_RESP) {
    violate(ProtocolRule::kPhaseOrder, "sent on the forward path", sent, payload.get_address());
  } else {
    enter_phase(payload, sent, at(delay));
  }
  if (sent == tlm::BEGIN_REQ) in_flight(payload)->handed_on = true;
  const tlm::tlm_sync_enum status = to_target->nb_transport_fw(payload, phase, delay);
  if (Transaction* const transaction = in_flight(payload); transaction != nullptr && transaction->handed_on) {
    transaction->handed_on = false;
    transaction->below = payload.get_address();
  }
  after_call(payload, sent, phase, sent_delay, delay, status);
  return status;
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  const tlm::tlm_phase sent = phase;
  const sc_core::sc_time sent_delay = delay;
  if (!of_base_protocol(sent)) return from_initiator->nb_transport_bw(payload, phase, delay);
  if (sent == tlm::BEGIN_REQ || sent == tlm::END_RESP) {
    violate(ProtocolRule::kPhaseOrder, "sent on the backward path", sent, payload.get_address());
  } else {
    enter_phase(payload, sent, at(delay));
  }
  const tlm::tlm_sync_enum status = from_initiator->nb_transport_bw(payload, phase, delay);
  if (Transaction* const transaction = in_flight(payload);
      transaction != nullptr && status == tlm::TLM_ACCEPTED) {
    transaction->above = payload.get_address();
  }
  after_call(payload, sent, phase, sent_delay, delay, status);
  return status;
}

void ProtocolChecker::b_transport(Payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_phase none;
  check_request(payload, none);
  const Transaction before(payload);
  const sc_core::sc_time start = at(delay);
  to_target->b_transport(payload, delay);
  if (!before.same_attributes(payload)) {
    violate(ProtocolRule::kAttributeChanged, "b_transport changed an attribute", none, before.address);
  }
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
    violate(ProtocolRule::kStatusAtResponse, "b_transport set no response status", none, before.address);
  }
  if (at(delay) < start) {
    violate(ProtocolRule::kTimingDecreased, "b_transport decreased the annotated time", none, before.address);
  }
}

bool ProtocolChecker::get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) {
  return to_target->get_direct_mem_ptr(payload, dmi);
}

unsigned ProtocolChecker::transport_dbg(Payload& payload) { return debug_access(to_target, payload); }

void ProtocolChecker::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
  from_initiator->invalidate_direct_mem_ptr(start, end);
}

void ProtocolChecker::check_idle() {
  for (const auto& entry : transactions_) {
    violate(ProtocolRule::kInFlightAtEnd, "not completed", entry.second.phase, entry.second.address);
  }
}

void ProtocolChecker::end_of_simulation() {
  if (idle_at_end_) check_idle();
}

}  // namespace heddle
