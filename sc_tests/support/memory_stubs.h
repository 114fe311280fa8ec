#pragma once

#include <deque>
#include <functional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "modules/messages/memory_request.h"
#include "modules/messages/tick_order.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"

namespace heddle::test {

/// A payload and the cycle in which something happened to it.
struct Seen {
  std::uint64_t address;
  Cycle cycle;
  bool operator==(const Seen& other) const { return address == other.address && cycle == other.cycle; }
};
inline std::ostream& operator<<(std::ostream& out, const Seen& seen) {
  return out << "{0x" << std::hex << seen.address << std::dec << " @" << seen.cycle << "}";
}

inline sc_core::sc_time ns(double value) { return {value, sc_core::SC_NS}; }

/// Sends the requests of a script, each at its cycle or as soon after as the hop takes it, and takes
/// responses. Ticks at every edge.
class StubInitiator : public sc_core::sc_module, public Clocked {
 public:
  StubInitiator(const sc_core::sc_module_name& name, ClockDomain& domain, int order = tick_order::kExecute,
                unsigned response_depth = 2)
      : sc_module(name), Clocked(domain, order, this->name()), port("port", *this, response_depth) {}

  InitiatorPort port;
  std::vector<Seen> sent;
  std::vector<Seen> accepted;  ///< cycle in which the stub saw END_REQ
  std::vector<Seen> responses;
  std::vector<Refusal> refusals;  ///< of the withheld request, one each cycle in which there is one
  std::function<void(tlm::tlm_generic_payload&)> on_response;
  bool take_responses = true;

  /// In order of calls; `cycle` is the earliest one.
  tlm::tlm_generic_payload& at(Cycle cycle, std::uint64_t address, RequestKind kind = RequestKind::kLoad,
                               unsigned bytes = kLineBytes) {
    const auto command = kind == RequestKind::kStore ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
    tlm::tlm_generic_payload& payload = pool.make(command, address, bytes);
    request_of(payload)->kind = kind;
    script_.emplace_back(cycle, &payload);
    return payload;
  }

  bool tick() override {
    port.begin_tick();
    const Cycle now = domain().cycle();
    if (waiting_ != nullptr) {
      if (port.awaiting_accept() == nullptr) {
        accepted.push_back({waiting_->get_address(), now});
        waiting_ = nullptr;
      } else {
        refusals.push_back(request_of(*waiting_)->refusal);
      }
    }
    if (take_responses && port.has_response()) {
      tlm::tlm_generic_payload& payload = port.response();
      responses.push_back({payload.get_address(), now});
      port.pop_response();
      request_of(payload)->finish(domain().now());
      if (on_response) on_response(payload);
      payload.release();
    }
    if (!script_.empty() && script_.front().first <= now && port.can_send()) {
      tlm::tlm_generic_payload& payload = *script_.front().second;
      script_.pop_front();
      request_of(payload)->born(Stage::kLdst, domain().now());
      sent.push_back({payload.get_address(), now});
      port.send(payload);
      if (port.awaiting_accept() == nullptr) {
        accepted.push_back({payload.get_address(), now});
      } else {
        waiting_ = &payload;
      }
    }
    return true;
  }

  PayloadPool pool;

 private:
  std::deque<std::pair<Cycle, tlm::tlm_generic_payload*>> script_;
  tlm::tlm_generic_payload* waiting_ = nullptr;
};

/// Takes a request each cycle while `open`, and answers each `latency` >= 0 cycles after it took it, or when
/// released. Ticks at every edge.
class StubTarget : public sc_core::sc_module, public Clocked {
 public:
  StubTarget(const sc_core::sc_module_name& name, ClockDomain& domain, Cycle latency = 0, unsigned depth = 2)
      : sc_module(name),
        Clocked(domain, tick_order::kMemory, this->name()),
        port("port", *this, depth),
        latency_(latency) {}

  TargetPort port;
  std::vector<Seen> requests;
  std::vector<Seen> responded;
  std::function<bool(Cycle)> open = [](Cycle) { return true; };
  std::function<Cycle()> latency_of;  ///< overrides the latency
  std::function<bool()> answering = [] { return true; };

  bool tick() override {
    port.begin_tick();
    const Cycle now = domain().cycle();
    if (open(now) && port.has_request()) {
      tlm::tlm_generic_payload& payload = port.request();
      port.pop_request();
      requests.push_back({payload.get_address(), now});
      payloads.push_back(&payload);
      ready_.emplace_back(now + (latency_of ? latency_of() : latency_), &payload);
    }
    if (!answering() || !port.can_respond()) return true;
    for (auto it = ready_.begin(); it != ready_.end(); ++it) {
      if (it->first > now) continue;
      tlm::tlm_generic_payload& payload = *it->second;
      responded.push_back({payload.get_address(), now});
      ready_.erase(it);
      port.respond(payload);
      break;
    }
    return true;
  }

  std::vector<tlm::tlm_generic_payload*> payloads;  ///< taken, in order; answered ones may be gone

 private:
  Cycle latency_;
  std::deque<std::pair<Cycle, tlm::tlm_generic_payload*>> ready_;
};

/// Collects SystemC errors instead of failing the test, for as long as it lives.
class ExpectReports {
 public:
  ExpectReports() {
    messages().clear();
    sc_core::sc_report_handler::set_handler(&record);
  }
  static std::vector<std::string>& messages() {
    static std::vector<std::string> collected;
    return collected;
  }

 private:
  static void record(const sc_core::sc_report& report, const sc_core::sc_actions& /*actions*/) {
    messages().push_back(std::string(report.get_msg_type()) + ": " + report.get_msg());
  }
};

}  // namespace heddle::test
