#include "modules/interconnect/interconnect.h"

#include <fmt/format.h>

#include <algorithm>

#include "modules/config/setting_error.h"
#include "modules/messages/memory_request.h"
#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

NetworkShape shape_of(const InterconnectConfig& config, unsigned inputs, unsigned outputs) {
  NetworkShape shape = config.topology == Topology::kCrossbar
                           ? NetworkShape::crossbar(inputs, outputs)
                           : NetworkShape::butterfly(inputs, outputs, config.butterfly_radix);
  shape.latency_cycles = config.latency_cycles;
  shape.speedup = config.speedup;
  shape.buffer_flits = config.input_buffer_flits;
  shape.ejection_packets = config.ejection_queue_packets;
  return shape;
}

unsigned clusters(const InterconnectConfig& config, unsigned sms) {
  if (config.sms_per_cluster == 0) {
    throw SettingError("interconnect.sms_per_cluster", "expected at least 1, found 0");
  }
  if (config.injection_queue_packets == 0) {
    throw SettingError("interconnect.injection_queue_packets", "expected at least 1, found 0");
  }
  return (sms + config.sms_per_cluster - 1) / config.sms_per_cluster;
}

}  // namespace

Interconnect::Interconnect(const sc_core::sc_module_name& name, ClockDomain& domain,
                           const InterconnectConfig& config, unsigned sms, const AddressMap& map)
    : sc_module(name),
      Clocked(domain, tick_order::kMemory, this->name(), &tick_of<Interconnect>),
      map_(map),
      sizes_(config),
      cluster_(config.sms_per_cluster),
      latency_cycles_(config.latency_cycles),
      ports_(clusters(config, sms)),
      requests_(shape_of(config, ports_, map.slices()), sizes_.largest()),
      replies_(shape_of(config, map.slices(), ports_), sizes_.largest()),
      sm_activity_(ports_),
      partition_activity_(map.slices()),
      turn_(ports_, 0) {
  for (unsigned sm = 0; sm < sms; ++sm) {
    TargetPort& sm_port =
        sm_ports.add(fmt::format("sm_port_{}", sm).c_str(), *this, config.injection_queue_packets,
                     static_cast<TargetPort::Backdoor*>(this));
    const unsigned port = sm / cluster_;
    sm_port.announce(sm_activity_.word(port / PortSet::kWordBits), port % PortSet::kWordBits);
  }
  for (unsigned slice = 0; slice < map.slices(); ++slice) {
    InitiatorPort& partition_port = partition_ports.add(fmt::format("partition_port_{}", slice).c_str(),
                                                        *this, config.injection_queue_packets);
    partition_port.announce(partition_activity_.word(slice / PortSet::kWordBits), slice % PortSet::kWordBits);
  }
}

unsigned Interconnect::last_sm(unsigned port) const {
  return std::min((port + 1) * cluster_, static_cast<unsigned>(sm_ports.size()));
}

bool Interconnect::tick() {
  const Cycle now = domain().cycle();
  again_ = false;
  inject_requests(now);
  inject_replies(now);
  requests_.step(now);
  replies_.step(now);
  eject_requests(now);
  eject_replies(now);
  if (wave_) update_wave();
  if (again_) return true;
  const Cycle next = std::min(requests_.next_step(now), replies_.next_step(now));
  if (next == now + 1) return true;
  if (next != Network::kNever) wake_in(next - now);
  return false;
}

void Interconnect::inject_requests(Cycle now) {
  sm_activity_.for_each([&](unsigned port) {
    if (!inject_request_of(port, now)) sm_activity_.clear(port);
  });
}

bool Interconnect::inject_request_of(unsigned port, Cycle now) {
  const unsigned first = first_sm(port);
  const unsigned count = last_sm(port) - first;
  bool left = false;
  bool offered = false;
  const unsigned turn = turn_[port];
  for (unsigned i = 0; i < count; ++i) {
    const unsigned offset = turn + i < count ? turn + i : turn + i - count;
    TargetPort& sm_port = sm_ports[first + offset];
    sm_port.begin_tick();
    if (!offered && sm_port.has_request()) {
      const unsigned flits = sizes_.request_flits(sm_port.request());
      offered = true;  // a full input buffer holds the others of the cluster up too
      if (requests_.has_room(port, flits)) {
        tlm::tlm_generic_payload* const payload = request_at(sm_port);
        if (payload == nullptr) {
          left = left || !sm_port.no_requests();
          continue;
        }
        MemoryRequest* const request = request_of(*payload);
        request->sm = static_cast<std::uint16_t>(first + offset);
        request->partition = static_cast<std::uint16_t>(map_.slice_of(payload->get_address()));
        request->enter(Stage::kRequestNetwork, domain().now());
        sm_port.pop_request();
        requests_.inject(port, request->partition, flits, flits, *payload, now);
        turn_[port] = static_cast<std::uint16_t>(offset + 1 == count ? 0 : offset + 1);
      } else {
        ++request_injection_stalls_;
      }
    }
    left = left || !sm_port.no_requests();
  }
  again_ = again_ || left;
  return left;
}

tlm::tlm_generic_payload* Interconnect::request_at(TargetPort& sm_port) {
  tlm::tlm_generic_payload& payload = sm_port.request();
  if (request_of(payload) != nullptr) return &payload;
  const tlm::tlm_response_status status = ForeignRequests::check(payload, kLineBytes);
  if (status != tlm::TLM_OK_RESPONSE) {
    if (!sm_port.can_respond()) return nullptr;
    sm_port.pop_request();
    payload.set_response_status(status);
    sm_port.respond(payload);
    return nullptr;
  }
  tlm::tlm_generic_payload& carried = foreign_.carry(payload);
  request_of(carried)->born(Stage::kRequestNetwork, domain().now());
  return &carried;
}

void Interconnect::inject_replies(Cycle now) {
  partition_activity_.for_each([&](unsigned slice) {
    InitiatorPort& port = partition_ports[slice];
    port.begin_tick();
    if (port.has_response()) {
      tlm::tlm_generic_payload& payload = port.response();
      const unsigned flits = sizes_.reply_flits(payload);
      if (replies_.has_room(slice, flits)) {
        MemoryRequest& request = *request_of(payload);
        request.enter(Stage::kReplyNetwork, domain().now());
        port.pop_response();
        replies_.inject(slice, request.sm / cluster_, flits, sizes_.reply_packet_flits(payload), payload,
                        now);
      } else {
        ++reply_injection_stalls_;
      }
    }
    if (port.no_responses()) {
      partition_activity_.clear(slice);
    } else {
      again_ = true;
    }
  });
}

void Interconnect::eject_requests(Cycle now) {
  requests_.collect_ejected(now);
  requests_.ejected().for_each([&](unsigned slice) {
    InitiatorPort& port = partition_ports[slice];
    if (port.can_send()) {
      tlm::tlm_generic_payload& payload = requests_.front(slice);
      requests_.pop(slice, now);
      port.send(payload);
    }
    if (requests_.ejected().test(slice) && port.awaiting_accept() == nullptr) again_ = true;
  });
}

void Interconnect::eject_replies(Cycle now) {
  replies_.collect_ejected(now);
  replies_.ejected().for_each([&](unsigned port) {
    TargetPort& sm_port = sm_ports[request_of(replies_.front(port))->sm];
    if (sm_port.can_respond()) {
      tlm::tlm_generic_payload& payload = replies_.front(port);
      replies_.pop(port, now);
      sm_port.respond(foreign_.made(*request_of(payload)) ? foreign_.end(payload) : payload);
    }
    if (replies_.ejected().test(port)) {
      again_ = again_ || !sm_ports[request_of(replies_.front(port))->sm].awaiting_end();
    }
  });
}

bool Interconnect::in_one_slice(const tlm::tlm_generic_payload& payload) const {
  const std::uint64_t last = payload.get_address() + std::max(payload.get_data_length(), 1U) - 1;
  const unsigned block = map_.interleave_bytes();
  return map_.slices() == 1 || payload.get_address() / block == last / block;
}

void Interconnect::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!in_one_slice(payload)) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  const auto network_time = [this](unsigned flits) {
    return sc_core::sc_time::from_value((latency_cycles_ + flits - 1) * domain().period_ticks());
  };
  const sc_core::sc_time back = network_time(sizes_.reply_flits(payload));
  delay += network_time(sizes_.request_flits(payload));
  partition_ports[map_.slice_of(payload.get_address())].socket->b_transport(payload, delay);
  delay += back;
}

unsigned Interconnect::transport_dbg(tlm::tlm_generic_payload& payload) {
  if (!in_one_slice(payload)) return 0;
  return debug_access(partition_ports[map_.slice_of(payload.get_address())].socket, payload);
}

bool Interconnect::idle() const {
  if (!requests_.empty() || !replies_.empty()) return false;
  return sm_ports.all([](const TargetPort& p) { return p.no_requests(); }) &&
         partition_ports.all([](const InitiatorPort& p) { return p.no_responses(); });
}

void Interconnect::report(StatSink& sink) const {
  const Cycle now = domain().cycle_now();
  const auto network = [&](const char* scope, const Network& net, unsigned inputs, unsigned outputs,
                           std::uint64_t injection_stalls) {
    const StatScope in_network(sink, scope);
    sink.count("packets", net.packets(), "packets", "packets delivered");
    sink.count("flits", net.flits(), "flits", "flits delivered");
    sink.count("latency_sum", net.latency_cycles(), "cycles",
               "interconnect cycles from entering the input buffer to leaving, all packets added up");
    sink.count("blocked_cycles", net.blocked_cycles(now), "cycles",
               "switch outputs kept from passing a packet on by a full queue, all outputs added up");
    sink.count("injection_stall_cycles", injection_stalls, "cycles",
               "ports kept from injecting by a full input buffer, all ports added up");
    for (unsigned i = 0; i < inputs; ++i) {
      sink.count(fmt::format("input{}_busy_cycles", i), net.input_busy_cycles(i), "cycles",
                 "cycles in which the input's link carries a flit");
    }
    for (unsigned i = 0; i < outputs; ++i) {
      sink.count(fmt::format("output{}_busy_cycles", i), net.output_busy_cycles(i), "cycles",
                 "cycles in which the output's link carries a flit");
    }
  };
  network("request", requests_, ports_, map_.slices(), request_injection_stalls_);
  network("reply", replies_, map_.slices(), ports_, reply_injection_stalls_);
  sink.count("cycles", now, "cycles", "interconnect clock cycles");
}

void Interconnect::trace(WaveSink& sink) {
  if (!sink.wanted()) return;
  wave_ = std::make_unique<Wave>();
  constexpr unsigned kBits = 16;
  const auto show = [&](std::vector<std::uint64_t>& values, unsigned count, const char* pattern) {
    values.assign(count, 0);
    for (unsigned i = 0; i < count; ++i) sink.signal(values[i], kBits, fmt::format(fmt::runtime(pattern), i));
  };
  show(wave_->request_queue, ports_, "request_queue_flits_{}");
  show(wave_->request_ejection, map_.slices(), "request_ejection_packets_{}");
  show(wave_->reply_queue, map_.slices(), "reply_queue_flits_{}");
  show(wave_->reply_ejection, ports_, "reply_ejection_packets_{}");
}

void Interconnect::update_wave() {
  for (unsigned port = 0; port < ports_; ++port) {
    wave_->request_queue[port] = requests_.queued_flits(port);
    wave_->reply_ejection[port] = replies_.queued_packets(port);
  }
  for (unsigned slice = 0; slice < map_.slices(); ++slice) {
    wave_->request_ejection[slice] = requests_.queued_packets(slice);
    wave_->reply_queue[slice] = replies_.queued_flits(slice);
  }
}

}  // namespace heddle
