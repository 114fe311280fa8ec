#include "modules/sm/memory_port_arbiter.h"

#include <algorithm>
#include <string>

#include "modules/messages/memory_request.h"
#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

constexpr const char* kMemoryPortReportId = "/heddle/memory_port";
constexpr unsigned kDepth = 2;
constexpr std::array<const char*, 4> kClientNames{"l1d", "l1i", "constant", "texture"};
constexpr std::array<Requester, 4> kRequesters{Requester::kL1d, Requester::kL1i, Requester::kConstantCache,
                                               Requester::kTextureCache};

}  // namespace

MemoryPortArbiter::MemoryPortArbiter(const sc_core::sc_module_name& name, ClockDomain& domain)
    : sc_module(name),
      Clocked(domain, tick_order::kMemory, this->name(), &tick_of<MemoryPortArbiter>),
      l1d("l1d", *this, kDepth, this),
      l1i("l1i", *this, kDepth, this),
      constant("constant", *this, kDepth, this),
      texture("texture", *this, kDepth, this),
      network("network", *this),
      clients_{&l1d, &l1i, &constant, &texture} {}

bool MemoryPortArbiter::tick() {
  for (TargetPort* client : clients_) client->begin_tick();
  network.begin_tick();
  const bool kept_waiting = network.kept_waiting();
  const bool granted = forward_request();
  return_response();
  if (wave_) update_wave(granted, kept_waiting);
  // Acceptances and ends of responses announce themselves; what is left visible must be tried again.
  const bool may_send = network.awaiting_accept() == nullptr;
  const bool waiting = std::any_of(clients_.begin(), clients_.end(),
                                   [](const TargetPort* client) { return client->queued() != 0; });
  const bool shows_more =
      wave_ && (granted || (kept_waiting && may_send));  // that it has gone, or was accepted
  return (waiting && may_send) || network.has_response() || shows_more;
}

bool MemoryPortArbiter::forward_request() {
  if (!network.can_send()) return false;
  for (unsigned step = 0; step < kClients; ++step) {
    const unsigned index = (start_ + step) % kClients;
    TargetPort& client = *clients_[index];
    if (!client.has_request()) continue;
    tlm::tlm_generic_payload* payload = &client.request();
    if (request_of(*payload) == nullptr && (payload = carry(index)) == nullptr) continue;
    client.pop_request();
    network.send(*payload);
    start_ = (index + 1) % kClients;
    granted_ = index;
    ++requests_[index];
    return true;
  }
  return false;
}

tlm::tlm_generic_payload* MemoryPortArbiter::carry(unsigned index) {
  TargetPort& client = *clients_[index];
  tlm::tlm_generic_payload& payload = client.request();
  const tlm::tlm_response_status status = ForeignRequests::check(payload, kLineBytes);
  if (status != tlm::TLM_OK_RESPONSE) {
    if (!client.can_respond()) return nullptr;
    client.pop_request();
    payload.set_response_status(status);
    client.respond(payload);
    return nullptr;
  }
  tlm::tlm_generic_payload& carried = foreign_.carry(payload);
  request_of(carried)->requester = kRequesters[index];
  request_of(carried)->born(Stage::kMemoryPort, domain().now());
  return &carried;
}

void MemoryPortArbiter::return_response() {
  if (!network.has_response()) return;
  tlm::tlm_generic_payload& payload = network.response();
  const MemoryRequest* const request = request_of(payload);
  TargetPort& client = *clients_[client_of(request)];
  if (!client.can_respond()) {
    ++response_waits_;
    return;
  }
  network.pop_response();
  client.respond(foreign_.made(*request) ? foreign_.end(payload) : payload);
  ++responses_;
}

unsigned MemoryPortArbiter::client_of(const MemoryRequest* response) {
  switch (response == nullptr ? Requester::kExternal : response->requester) {
    case Requester::kL1d:
    case Requester::kWriteBack:
      return 0;
    case Requester::kL1i:
      return 1;
    case Requester::kConstantCache:
      return 2;
    case Requester::kTextureCache:
      return 3;
    case Requester::kExternal:
      break;
  }
  SC_REPORT_FATAL(kMemoryPortReportId,
                  "a response without one of the SM's requesters came back from the network");
  return 0;
}

void MemoryPortArbiter::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  network.socket->b_transport(payload, delay);
}

unsigned MemoryPortArbiter::transport_dbg(tlm::tlm_generic_payload& payload) {
  return debug_access(network.socket, payload);
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
  sink.enumeration(wave_->granted, "granted", {"none", "l1d", "l1i", "constant", "texture"});
}

void MemoryPortArbiter::update_wave(bool granted, bool kept_waiting) {
  wave_->queued = l1d.visible() + l1i.visible() + constant.visible() + texture.visible();
  wave_->granted = granted ? granted_ + 1 : 0;
  wave_->waits = kept_waiting ? 1 : 0;
}

}  // namespace heddle
