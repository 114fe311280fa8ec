#pragma once

#include <cstdint>
#include <tlm>
#include <vector>

#include "base/ring.h"
#include "modules/interconnect/port_wheel.h"

namespace heddle {

/// Shape of a network. It is a k-ary n-fly: `stages` columns of radix x radix switches, radix^stages
/// positions. A crossbar is the fly with one stage and one switch that is as wide as the network.
struct NetworkShape {
  unsigned inputs = 1;
  unsigned outputs = 1;
  unsigned radix = 1;
  unsigned stages = 1;
  unsigned latency_cycles = 1;     ///< of one flit, the sender's edge to the ejecting edge; >= stages
  unsigned speedup = 2;            ///< steps of a switch in a cycle of its links
  unsigned buffer_flits = 64;      ///< per switch input
  unsigned ejection_packets = 32;  ///< per output

  static NetworkShape crossbar(unsigned inputs, unsigned outputs);
  /// As many stages as the larger side needs. `radix` >= 2.
  static NetworkShape butterfly(unsigned inputs, unsigned outputs, unsigned radix);
};

/// One direction of the interconnect: packets move by virtual cut-through from switch input queue to switch
/// input queue and into the ejection queue of their output. Plain: the owner calls step() at its clock edges.
///
/// A link carries a flit a cycle. A switch makes `speedup` steps in a cycle. It takes one step to allocate
/// the output to a packet and one for each of its flits, so that a packet of f flits which is all there holds
/// the switch input and the switch output that it passes for f + 1 steps; one whose flits are still coming
/// holds them until the last is through. The next head can be granted at the step after. Each output grants
/// the requesting inputs in turn (one iSLIP iteration; every input requests for its head only). Behind the
/// switch flits wait for the link. A packet moves when all its flits fit into the next queue; its places in
/// the queue that it leaves are free from then on. The order between one input and one output is kept.
///
/// Packets that belong together, as those of the sectors of a reply, are injected as one message: they are
/// granted one by one, and the message is ejected with its last.
///
/// When nothing is in the way of a message that is injected and granted at cycle g, its last flit reaches the
/// ejection queue in cycle g + latency_cycles - 1 + flits - 1.
class Network {
 public:
  static constexpr Cycle kNever = PortWheel::kNever;

  /// Throws std::invalid_argument when a size is 0, latency_cycles < stages, the shape has too few positions
  /// or a packet of `largest_packet` flits does not fit into a buffer.
  Network(const NetworkShape& shape, unsigned largest_packet);

  bool has_room(unsigned input, unsigned flits) const {
    return queues_[first_queue_ + input].flits + flits <= shape_.buffer_flits;
  }
  /// A message of `flits` in packets of `packet_flits`, which divides it. Requires has_room(). Call before
  /// step(now).
  void inject(unsigned input, unsigned output, unsigned flits, unsigned packet_flits,
              tlm::tlm_generic_payload& payload, Cycle now);
  /// Arbitration and movement of cycle `now`.
  void step(Cycle now);
  /// The earliest cycle after `now` at which step() can do something, unless inject() or pop() comes first.
  Cycle next_step(Cycle now) const;

  /// Outputs whose first packet has arrived. Call collect_ejected(now) after step(now).
  const PortSet& ejected() const { return ejected_; }
  void collect_ejected(Cycle now);
  tlm::tlm_generic_payload& front(unsigned output) const { return *ejections_[output].front().payload; }
  void pop(unsigned output, Cycle now);

  bool empty() const { return in_flight_ == 0; }
  unsigned queued_flits(unsigned input) const { return queues_[first_queue_ + input].flits; }
  unsigned queued_packets(unsigned output) const { return ejections_[output].size(); }

  /// Cycles in which an output could not pass a packet on because the next queue was full, all outputs added
  /// up; settled up to `now`.
  std::uint64_t blocked_cycles(Cycle now) const;
  std::uint64_t packets() const { return packets_; }                ///< messages taken out
  std::uint64_t flits() const { return flits_; }                    ///< theirs
  std::uint64_t latency_cycles() const { return latency_cycles_; }  ///< injected to taken out, summed
  /// Cycles in which the output's link carried a flit.
  std::uint64_t output_busy_cycles(unsigned output) const { return outputs_[output].busy_cycles; }
  std::uint64_t input_busy_cycles(unsigned input) const { return queues_[first_queue_ + input].busy_cycles; }

 private:
  /// Steps of the switches, `speedup` a cycle.
  using Step = std::uint64_t;

  static constexpr unsigned kNoQueue = ~0U;

  struct Message {
    tlm::tlm_generic_payload* payload = nullptr;  ///< nullptr: of it more packets come behind
    std::uint16_t output = 0;
    std::uint16_t flits = 0;  ///< that are still here, or that go on together
    std::uint16_t packet_flits = 0;
    std::uint16_t all_flits = 0;  ///< of the message, wherever its packets are
    Cycle arrival = 0;  ///< of the first flit: may be granted (or of the last: is ejected) from this cycle on
    Cycle injected = 0;
  };
  struct Queue {  ///< at a switch input
    /// A message whose grant is cut short comes back on top of a full queue.
    explicit Queue(unsigned capacity) : messages(capacity + 1) {}
    Ring<Message> messages;
    unsigned flits = 0;
    Step free_from = 0;     ///< the switch input
    Cycle arriving_to = 0;  ///< the cycle after the last flit that came or is to come
    std::uint64_t busy_cycles = 0;
  };
  struct Output {  ///< of a switch
    explicit Output(unsigned radix) : requesters(radix) {}
    PortSet requesters;  ///< by the digit of the switch input
    unsigned turn = 0;   ///< the digit that is looked at first
    bool wanted = false;
    Step free_from = 0;        ///< the switch output
    Cycle link_free_from = 0;  ///< the link behind it
    Cycle blocked_since = 0;
    std::uint64_t busy_cycles = 0;
    /// The message whose packets are granted one after the other while nobody else asks.
    unsigned run_of = kNoQueue;
    Step run_from = 0;
    Message run;
  };

  /// Where a queue or an output of a switch stands. They are numbered with the last stage first, so that an
  /// ascending walk frees places before the stage ahead of it looks for them, and so that output numbers of
  /// the last stage are ports.
  struct Place {
    unsigned first = 0;  ///< of the ports on the other side of its switch, the one of digit 0
    unsigned weight =
        1;               ///< place value of the digit that its column routes by: from one of them to the next
    unsigned digit = 0;  ///< its own in the switch
    unsigned hop_cycles = 0;  ///< head latency of its column; those of all columns add up to latency_cycles
    std::size_t route = 0;    ///< in routes_, of its column
    bool first_column = false;
  };

  void place_ports();
  Step first_step(Cycle cycle) const { return cycle * shape_.speedup; }
  /// The cycle at which a flit that is granted at `step`, one of the present cycle's, can be on the link.
  Cycle cycle_from(Step step) const { return step == first_step(cycle_) ? cycle_ : cycle_ + 1; }
  void request(unsigned queue, Step now);
  void grant_step(Step now);
  void try_grant(unsigned output, Step now);
  /// From the grant of a packet to the next one's.
  static Step steps_of(const Message& message) { return Step{message.packet_flits} + 1; }
  /// How many flits of the head of its queue a grant lets through: those of a packet, or of all its packets
  /// where nobody else asks.
  unsigned flits_of_grant(unsigned output, const Message& head) const;
  bool has_next_room(unsigned output, const Message& message) const;
  /// The next `flits` of `head` go on; `last`: they are its last ones.
  void pass(unsigned output, const Message& head, unsigned flits, bool last, Step now);
  /// Gives what is left of the output's run at step `now` back to its queue, since another input asks.
  void cut_run(unsigned output, Step now);
  void unblock(unsigned output, Cycle now);
  void enqueue(unsigned queue, const Message& message, Step now);

  NetworkShape shape_;
  unsigned positions_ = 1;
  unsigned first_queue_ = 0;      ///< of the first stage
  Cycle cycle_ = 0;               ///< whose steps are made
  std::vector<Place> places_;     ///< of each queue, and of the output of the same number
  std::vector<unsigned> routes_;  ///< by column and port: from Place::first to the output on the way there
  std::vector<Queue> queues_;
  std::vector<Output> outputs_;
  std::vector<Ring<Message>> ejections_;
  PortWheel queue_wheel_;     ///< of steps
  PortWheel output_wheel_;    ///< of steps
  PortWheel ejection_wheel_;  ///< of cycles
  PortSet ready_;             ///< outputs with requests and a free switch
  PortSet blocked_;           ///< outputs taken out of ready_ because the next queue is full
  PortSet ejected_;
  unsigned in_flight_ = 0;
  std::uint64_t blocked_cycles_ = 0;
  std::uint64_t packets_ = 0;
  std::uint64_t flits_ = 0;
  std::uint64_t latency_cycles_ = 0;
};

}  // namespace heddle
