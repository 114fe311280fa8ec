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
  if (shape.speedup == 0) throw SettingError("interconnect.speedup", "expected at least 1, found 0");
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
      ejections_(positions_, Ring<Message>(shape.ejection_packets)),
      queue_wheel_(shape.stages * positions_),
      output_wheel_(shape.stages * positions_),
      ejection_wheel_(positions_),
      ready_(shape.stages * positions_),
      blocked_(shape.stages * positions_),
      ejected_(positions_) {
  place_ports();
}

void Network::place_ports() {
  places_.resize(queues_.size());
  for (unsigned column = 0; column < shape_.stages; ++column) {
    const unsigned weight = power(shape_.radix, shape_.stages - 1 - column);
    const bool extra = column < shape_.latency_cycles % shape_.stages;
    for (unsigned position = 0; position < positions_; ++position) {
      const unsigned number = (shape_.stages - 1 - column) * positions_ + position;
      Place& place = places_[number];
      place.weight = weight;
      place.digit = position / weight % shape_.radix;
      place.first = number - place.digit * weight;
      place.hop_cycles = shape_.latency_cycles / shape_.stages + (extra ? 1 : 0);
      place.route = routes_.size() - position;
      place.first_column = column == 0;
      routes_.push_back(place.digit * weight);
    }
  }
}

void Network::inject(unsigned input, unsigned output, unsigned flits, unsigned packet_flits,
                     tlm::tlm_generic_payload& payload, Cycle now) {
  ++in_flight_;
  Queue& queue = queues_[first_queue_ + input];
  Message message;
  message.payload = &payload;
  message.output = static_cast<std::uint16_t>(output);
  message.flits = static_cast<std::uint16_t>(flits);
  message.packet_flits = static_cast<std::uint16_t>(packet_flits);
  message.all_flits = message.flits;
  message.arrival = std::max(now, queue.arriving_to);
  message.injected = now;
  queue.arriving_to = message.arrival + flits;
  enqueue(first_queue_ + input, message, first_step(now));
}

void Network::enqueue(unsigned number, const Message& message, Step now) {
  Queue& queue = queues_[number];
  queue.flits += message.flits;
  queue.messages.push(message);
  if (queue.messages.size() == 1) request(number, now);
}

void Network::request(unsigned number, Step now) {
  const Queue& queue = queues_[number];
  const Message& head = queue.messages.front();
  const Step when = std::max(first_step(head.arrival), queue.free_from);
  if (when > now) {
    queue_wheel_.add(number, when, now);
    return;
  }
  const Place& place = places_[number];
  const unsigned output = place.first + routes_[place.route + head.output];
  Output& wanted = outputs_[output];
  if (wanted.run_of != kNoQueue && wanted.free_from > now) cut_run(output, now);
  wanted.requesters.set(place.digit);
  if (wanted.wanted) return;
  wanted.wanted = true;
  if (wanted.free_from <= now) {
    ready_.set(output);
  } else {
    output_wheel_.add(output, wanted.free_from, now);
  }
}

void Network::cut_run(unsigned number, Step now) {
  Output& output = outputs_[number];
  const unsigned source = output.run_of;
  output.run_of = kNoQueue;
  const Step each = steps_of(output.run);
  const Step packets = (now - output.run_from + each - 1) / each;
  const auto granted = static_cast<unsigned>(packets) * output.run.packet_flits;
  if (granted >= output.run.flits) return;
  Message rest = output.run;
  rest.flits = static_cast<std::uint16_t>(rest.flits - granted);
  rest.arrival += granted;
  ejections_[number].pop_back();
  output.free_from = output.run_from + packets * each;
  output.link_free_from -= rest.flits;
  output.busy_cycles -= rest.flits;
  Queue& queue = queues_[source];
  queue.free_from = output.free_from;
  queue.busy_cycles -= rest.flits;
  queue.flits += rest.flits;
  queue.messages.push_front(rest);
  request(source, now);
}

void Network::step(Cycle now) {
  cycle_ = now;
  const Step end = first_step(now + 1);
  for (Step step = first_step(now); step < end; ++step) {
    if (ready_.any() || queue_wheel_.due(step) || output_wheel_.due(step)) grant_step(step);
  }
}

void Network::grant_step(Step now) {
  queue_wheel_.collect(now, [&](unsigned queue) {
    if (queues_[queue].messages.size() != 0) request(queue, now);
  });
  output_wheel_.collect(now, [&](unsigned output) {
    if (!outputs_[output].wanted) return;
    if (outputs_[output].free_from > now) {
      output_wheel_.add(output, outputs_[output].free_from, now);
    } else {
      ready_.set(output);
    }
  });
  const std::size_t words = ready_.words();
  for (std::size_t w = 0; w < words; ++w) {
    const std::uint64_t& ready = ready_.word(w);
    // A grant can unblock outputs of the stage before, which come later in the walk.
    std::uint64_t done = 0;
    while (const std::uint64_t left = ready & ~done) {
      const unsigned bit = PortSet::lowest(left);
      done |= PortSet::bit(bit);
      try_grant(static_cast<unsigned>(w) * PortSet::kWordBits + bit, now);
    }
  }
}

bool Network::has_next_room(unsigned number, const Message& message) const {
  if (number < positions_) return ejections_[number].size() < shape_.ejection_packets;
  return queues_[number - positions_].flits + message.packet_flits <= shape_.buffer_flits;
}

unsigned Network::flits_of_grant(unsigned number, const Message& head) const {
  if (head.flits == head.packet_flits) return head.flits;
  // A run can be cut short before the ejection queue only, and packets go on at one pace, the switch's and
  // the link's.
  const bool run = number < positions_ && !outputs_[number].requesters.several() &&
                   first_step(head.packet_flits) == steps_of(head);
  return run ? head.flits : head.packet_flits;
}

void Network::try_grant(unsigned number, Step now) {
  Output& output = outputs_[number];
  const Place& place = places_[number];
  const unsigned winner = output.requesters.next_from(output.turn);
  const unsigned source = place.first + winner * place.weight;
  Queue& queue = queues_[source];
  Message& head = queue.messages.front();
  ready_.clear(number);
  if (!has_next_room(number, head)) {
    blocked_.set(number);
    output.blocked_since = cycle_;
    return;
  }
  const unsigned flits = flits_of_grant(number, head);
  const bool last = flits == head.flits;
  Step until = now + steps_of(head);
  if (flits == head.packet_flits) {
    output.run_of = kNoQueue;
    until = std::max(until, first_step(head.arrival + head.packet_flits));
  } else {
    output.run_of = source;
    output.run_from = now;
    output.run = head;
    until = now + flits / head.packet_flits * steps_of(head);
  }
  pass(number, head, flits, last, now);
  output.turn = winner + 1 == shape_.radix ? 0 : winner + 1;
  output.requesters.clear(winner);
  output.free_from = until;
  output.busy_cycles += flits;
  output.wanted = output.requesters.any();
  if (output.wanted) output_wheel_.add(number, output.free_from, now);
  queue.flits -= flits;
  queue.free_from = until;
  queue.busy_cycles += flits;
  if (last) {
    queue.messages.pop();
  } else {
    head.flits = static_cast<std::uint16_t>(head.flits - flits);
    head.arrival += flits;
  }
  if (queue.messages.size() != 0) request(source, now);
  if (!place.first_column) unblock(source + positions_, cycle_);
}

void Network::pass(unsigned number, const Message& head, unsigned flits, bool last, Step now) {
  Output& output = outputs_[number];
  const Cycle on_link = std::max(cycle_from(now), output.link_free_from);
  output.link_free_from = on_link + flits;
  const bool ejects = number < positions_;
  if (ejects && (!last || head.payload == nullptr)) return;
  const unsigned hop = places_[number].hop_cycles;
  Message moved = head;
  moved.flits = static_cast<std::uint16_t>(flits);
  if (!ejects) {
    if (!last) moved.payload = nullptr;
    moved.arrival = on_link + hop;
    enqueue(number - positions_, moved, now);
    return;
  }
  moved.arrival = on_link + hop - 1 + flits - 1;
  ejections_[number].push(moved);
  if (ejections_[number].size() != 1) return;
  if (moved.arrival <= cycle_) {
    ejected_.set(number);
  } else {
    ejection_wheel_.add(number, moved.arrival, cycle_);
  }
}

void Network::unblock(unsigned number, Cycle now) {
  if (!blocked_.test(number)) return;
  blocked_.clear(number);
  blocked_cycles_ += now - outputs_[number].blocked_since;
  ready_.set(number);
}

void Network::collect_ejected(Cycle now) {
  ejection_wheel_.collect(now, [&](unsigned output) {
    if (ejections_[output].size() == 0) return;
    const Cycle arrival = ejections_[output].front().arrival;
    if (arrival > now) {
      ejection_wheel_.add(output, arrival, now);
    } else {
      ejected_.set(output);
    }
  });
}

void Network::pop(unsigned output, Cycle now) {
  Ring<Message>& ring = ejections_[output];
  const Message& message = ring.front();
  ++packets_;
  flits_ += message.all_flits;
  latency_cycles_ += now - message.injected;
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
  const Step last = first_step(now + 1) - 1;
  const Step step = std::min(queue_wheel_.next(last), output_wheel_.next(last));
  const Cycle next = ejection_wheel_.next(now);
  return step == kNever ? next : std::min(next, step / shape_.speedup);
}

std::uint64_t Network::blocked_cycles(Cycle now) const {
  std::uint64_t cycles = blocked_cycles_;
  blocked_.for_each([&](unsigned output) { cycles += now - outputs_[output].blocked_since; });
  return cycles;
}

}  // namespace heddle
