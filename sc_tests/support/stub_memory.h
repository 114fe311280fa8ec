#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "modules/messages/tick_order.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"

namespace heddle::testing {

/// A memory that answers every request `latency` cycles after it became visible, one per cycle, in order.
class StubMemory : public sc_core::sc_module, public Clocked {
 public:
  StubMemory(const sc_core::sc_module_name& name, ClockDomain& domain, Cycle latency)
      : sc_module(name),
        Clocked(domain, tick_order::kMemory, this->name()),
        port("port", *this),
        latency_(latency) {}

  TargetPort port;
  bool held = false;  ///< answers nothing while set (never slept through: it stays awake with requests)
  std::vector<std::pair<Cycle, std::uint64_t>> requests;  ///< cycle, address

  bool tick() override {
    port.begin_tick();
    const Cycle cycle = domain().cycle();
    if (port.has_request()) {
      requests.emplace_back(cycle, port.request().get_address());
      pending_.emplace_back(cycle + latency_, &port.request());
      port.pop_request();
    }
    if (!held && !pending_.empty() && pending_.front().first <= cycle && port.can_respond()) {
      tlm::tlm_generic_payload& payload = *pending_.front().second;
      pending_.pop_front();
      port.respond(payload);
    }
    return !pending_.empty() || port.queued() != 0;
  }

 private:
  Cycle latency_;
  std::deque<std::pair<Cycle, tlm::tlm_generic_payload*>> pending_;
};

}  // namespace heddle::testing
