#include "modules/interconnect/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "modules/config/setting_error.h"

namespace heddle {

namespace {

unsigned power(unsigned base, unsigned exponent) {
  unsigned result = 1;
  for (unsigned i = 0; i < exponent; ++i) result *= base;
  return result;
}

void check(const NetworkShape& shape, unsigned largest_packet) {
  if (shape.inputs == 0 || shape.outputs == 0 || shape.radix == 0 || shape.stages == 0) {
    throw std::invalid_argument("a network needs at least one input, one output and one stage");
  }
  if (power(shape.radix, shape.stages) < std::max(shape.inputs, shape.outputs)) {
    throw std::invalid_argument(fmt::format("{} stages of radix {} do not reach {} ports", shape.stages,
                                            shape.radix, std::max(shape.inputs, shape.outputs)));
  }
  if (shape.latency_cycles < shape.stages) {
    throw SettingError({"interconnect.latency_cycles", "interconnect.butterfly_radix"},
                       fmt::format("expected at least {}, the stages of the network, found {}", shape.stages,
                                   shape.latency_cycles));
  }
  if (shape.buffer_flits < largest_packet) {
    throw SettingError({"interconnect.input_buffer_flits", "interconnect.flit_bytes"},
                       fmt::format("expected at least {}, the flits of the largest packet, found {}",
                                   largest_packet, shape.buffer_flits));
  }
  if (shape.ejection_packets == 0) {
    throw SettingError("interconnect.ejection_queue_packets", "expected at least 1, found 0");
  }
}

}  // namespace

NetworkShape NetworkShape::crossbar(unsigned inputs, unsigned outputs) {
  NetworkShape shape;
  shape.inputs = inputs;
  shape.outputs = outputs;
  shape.radix = std::max(inputs, outputs);
  return shape;
}

NetworkShape NetworkShape::butterfly(unsigned inputs, unsigned outputs, unsigned radix) {
  if (radix < 2) {
    throw SettingError("interconnect.butterfly_radix", fmt::format("expected at least 2, found {}", radix));
  }
  NetworkShape shape;
  shape.inputs = inputs;
  shape.outputs = outputs;
  shape.radix = radix;
  while (power(radix, shape.stages) < std::max(inputs, outputs)) ++shape.stages;
  return shape;
}

Network::Network(const NetworkShape& shape, unsigned largest_packet)
    : shape_((check(shape, largest_packet), shape)),
      positions_(power(shape.radix, shape.stages)),
      first_queue_((shape.stages - 1) * positions_),
      queues_(std::size_t{shape.stages} * positions_, Queue(shape.buffer_flits)),
      outputs_(std::size_t{shape.stages} * positions_, Output(shape.radix)),
      ejections_(positions_, Ring<Packet>(shape.ejection_packets)),
      queue_wheel_(shape.stages * positions_),
      output_wheel_(shape.stages * positions_),
      ejection_wheel_(positions_),
      ready_(shape.stages * positions_),
      blocked_(shape.stages * positions_),
      ejected_(positions_) {
  for (unsigned column = 0; column < shape.stages; ++column) {
    weights_.push_back(power(shape.radix, shape.stages - 1 - column));
    const bool extra = column < shape.latency_cycles % shape.stages;
    hop_cycles_.push_back(shape.latency_cycles / shape.stages + (extra ? 1 : 0));
  }
}

void Network::inject(unsigned input, unsigned output, unsigned flits, tlm::tlm_generic_payload& payload,
                     Cycle now) {
  ++in_flight_;
  const Packet packet{&payload, static_cast<std::uint16_t>(output), static_cast<std::uint16_t>(flits), now,
                      now};
  Queue& queue = queues_[first_queue_ + input];
  const bool first = queue.packets.size() == 0;
  queue.flits += flits;
  queue.packets.push(packet);
  if (first) request(first_queue_ + input, now);
}

void Network::request(unsigned number, Cycle now) {
  const Queue& queue = queues_[number];
  const Packet& head = queue.packets.front();
  const Cycle when = std::max(head.arrival, queue.link_free);
  if (when > now) {
    queue_wheel_.add(number, when, now);
    return;
  }
  const unsigned column = column_of(number);
  const unsigned position = number % positions_;
  const unsigned output = number - position + with_digit(position, column, digit(head.output, column));
  Output& wanted = outputs_[output];
  wanted.requesters.set(digit(position, column));
  if (wanted.wanted) return;
  wanted.wanted = true;
  if (wanted.link_free <= now) {
    ready_.set(output);
  } else {
    output_wheel_.add(output, wanted.link_free, now);
  }
}

void Network::step(Cycle now) {
  queue_wheel_.collect(now, [&](unsigned queue) { request(queue, now); });
  output_wheel_.collect(now, [&](unsigned output) {
    if (outputs_[output].link_free > now) {
      output_wheel_.add(output, outputs_[output].link_free, now);
    } else {
      ready_.set(output);
    }
  });
  for (std::size_t w = 0; w < ready_.words(); ++w) {
    // A grant can unblock outputs of the stage before, which come later in the walk.
    std::uint64_t done = 0;
    while ((ready_.word(w) & ~done) != 0) {
      const auto bit = static_cast<unsigned>(__builtin_ctzll(ready_.word(w) & ~done));
      done |= std::uint64_t{1} << bit;
      try_grant(static_cast<unsigned>(w) * PortSet::kWordBits + bit, now);
    }
  }
}

bool Network::has_next_room(unsigned number, const Packet& packet) const {
  if (number < positions_) return ejections_[number].size() < shape_.ejection_packets;
  return queues_[number - positions_].flits + packet.flits <= shape_.buffer_flits;
}

void Network::try_grant(unsigned number, Cycle now) {
  Output& output = outputs_[number];
  const unsigned column = column_of(number);
  const unsigned position = number % positions_;
  const unsigned winner = output.requesters.next_from(output.turn);
  const unsigned source = number - position + with_digit(position, column, winner);
  Queue& queue = queues_[source];
  const Packet packet = queue.packets.front();
  ready_.clear(number);
  if (!has_next_room(number, packet)) {
    blocked_.set(number);
    output.blocked_since = now;
    return;
  }
  pass(number, packet, now);
  output.turn = winner + 1 == shape_.radix ? 0 : winner + 1;
  output.requesters.clear(winner);
  output.link_free = now + packet.flits;
  output.busy_cycles += packet.flits;
  output.wanted = output.requesters.any();
  if (output.wanted) output_wheel_.add(number, output.link_free, now);
  queue.packets.pop();
  queue.flits -= packet.flits;
  queue.link_free = now + packet.flits;
  queue.busy_cycles += packet.flits;
  if (queue.packets.size() != 0) request(source, now);
  if (column != 0) unblock(source + positions_, now);
}

void Network::pass(unsigned number, const Packet& packet, Cycle now) {
  Packet moved = packet;
  const unsigned hop = hop_cycles_[column_of(number)];
  if (number >= positions_) {
    moved.arrival = now + hop;
    enqueue(number - positions_, moved, now);
    return;
  }
  moved.arrival = now + hop - 1 + packet.flits - 1;
  ejections_[number].push(moved);
  if (ejections_[number].size() == 1) {
    if (moved.arrival <= now) {
      ejected_.set(number);
    } else {
      ejection_wheel_.add(number, moved.arrival, now);
    }
  }
}

void Network::enqueue(unsigned number, const Packet& packet, Cycle now) {
  Queue& queue = queues_[number];
  queue.flits += packet.flits;
  queue.packets.push(packet);
  if (queue.packets.size() == 1) request(number, now);
}

void Network::unblock(unsigned number, Cycle now) {
  if (!blocked_.test(number)) return;
  blocked_.clear(number);
  blocked_cycles_ += now - outputs_[number].blocked_since;
  ready_.set(number);
}

void Network::collect_ejected(Cycle now) {
  ejection_wheel_.collect(now, [&](unsigned output) {
    const Cycle arrival = ejections_[output].front().arrival;
    if (arrival > now) {
      ejection_wheel_.add(output, arrival, now);
    } else {
      ejected_.set(output);
    }
  });
}

void Network::pop(unsigned output, Cycle now) {
  Ring<Packet>& ring = ejections_[output];
  const Packet& packet = ring.front();
  ++packets_;
  flits_ += packet.flits;
  latency_cycles_ += now - packet.injected;
  --in_flight_;
  ring.pop();
  if (ring.size() == 0) {
    ejected_.clear(output);
  } else if (ring.front().arrival > now) {
    ejected_.clear(output);
    ejection_wheel_.add(output, ring.front().arrival, now);
  }
  unblock(output, now);
}

Cycle Network::next_step(Cycle now) const {
  if (ready_.any()) return now + 1;
  return std::min({queue_wheel_.next(now), output_wheel_.next(now), ejection_wheel_.next(now)});
}

std::uint64_t Network::blocked_cycles(Cycle now) const {
  std::uint64_t cycles = blocked_cycles_;
  blocked_.for_each([&](unsigned output) { cycles += now - outputs_[output].blocked_since; });
  return cycles;
}

}  // namespace heddle
