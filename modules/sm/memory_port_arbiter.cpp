#include "modules/sm/memory_port_arbiter.h"

#include <algorithm>
#include <string>

#include "modules/messages/memory_request.h"
#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

constexpr const char* kReportId = "/heddle/memory_port";
constexpr std::array<const char*, 3> kClientNames{"l1d", "l1i", "constant"};

}  // namespace

MemoryPortArbiter::MemoryPortArbiter(const sc_core::sc_module_name& name, ClockDomain& domain)
    : sc_module(name),
      Clocked(domain, tick_order::kMemory, this->name(), &tick_of<MemoryPortArbiter>),
      l1d("l1d", *this),
      l1i("l1i", *this),
      constant("constant", *this),
      network("network", *this),
      clients_{&l1d, &l1i, &constant} {}

bool MemoryPortArbiter::tick() {
  for (TargetPort* client : clients_) client->begin_tick();
  network.begin_tick();
  const bool granted = forward_request();
  return_response();
  if (wave_) update_wave(granted);
  // Acceptances and ends of responses announce themselves; what is left visible must be tried again.
  const bool may_send = network.awaiting_accept() == nullptr;
  const bool waiting = std::any_of(clients_.begin(), clients_.end(),
                                   [](const TargetPort* client) { return client->queued() != 0; });
  return (waiting && may_send) || network.has_response() || (wave_ && granted);  // to show that it has gone
}

bool MemoryPortArbiter::forward_request() {
  if (!network.can_send()) return false;
  for (unsigned step = 0; step < kClients; ++step) {
    const unsigned index = (start_ + step) % kClients;
    TargetPort& client = *clients_[index];
    if (!client.has_request()) continue;
    tlm::tlm_generic_payload& payload = client.request();
    client.pop_request();
    network.send(payload);
    start_ = (index + 1) % kClients;
    granted_ = index;
    ++requests_[index];
    return true;
  }
  return false;
}

void MemoryPortArbiter::return_response() {
  if (!network.has_response()) return;
  tlm::tlm_generic_payload& payload = network.response();
  TargetPort& client = *clients_[client_of(payload)];
  if (!client.can_respond()) {
    ++response_waits_;
    return;
  }
  network.pop_response();
  client.respond(payload);
  ++responses_;
}

unsigned MemoryPortArbiter::client_of(tlm::tlm_generic_payload& response) {
  const MemoryRequest* request = request_of(response);
  switch (request == nullptr ? Requester::kExternal : request->requester) {
    case Requester::kL1d:
    case Requester::kWriteBack:
      return 0;
    case Requester::kL1i:
      return 1;
    case Requester::kConstantCache:
      return 2;
    case Requester::kExternal:
      break;
  }
  SC_REPORT_FATAL(kReportId, "a response without one of the SM's requesters came back from the network");
  return 0;
}

bool MemoryPortArbiter::idle() const {
  return network.no_responses() && network.awaiting_accept() == nullptr &&
         std::all_of(clients_.begin(), clients_.end(),
                     [](const TargetPort* client) { return client->no_requests(); });
}

void MemoryPortArbiter::report(StatSink& sink) const {
  for (unsigned c = 0; c < kClients; ++c) {
    sink.count(std::string(kClientNames[c]) + "_requests", requests_[c], "requests",
               "requests to the network");
  }
  sink.count("responses", responses_, "responses", "responses from the network");
  sink.count("response_waits", response_waits_, "cycles",
             "cycles in which a client could not take its response");
}

void MemoryPortArbiter::trace(WaveSink& sink) {
  if (!sink.wanted()) return;
  wave_ = std::make_unique<Wave>();
  sink.signal(wave_->queued, 8, "queued");
  sink.signal(wave_->waits, 1, "network_full");
  sink.enumeration(wave_->granted, "granted", {"none", "l1d", "l1i", "constant"});
}

void MemoryPortArbiter::update_wave(bool granted) {
  wave_->queued = l1d.visible() + l1i.visible() + constant.visible();
  wave_->granted = granted ? granted_ + 1 : 0;
  wave_->waits = network.awaiting_accept() != nullptr ? 1 : 0;
}

}  // namespace heddle
