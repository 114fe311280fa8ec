#pragma once

#include <cstdint>
#include <memory>
#include <tlm>

#include "tlm/clocked.h"
#include "tlm/foreign_modules.h"
#include "tlm/inbox.h"
#include "tlm/sent_requests.h"

namespace heddle {

/// Bus width template argument of every memory socket: it carries no timing.
constexpr unsigned kMemorySocketBits = 64;
using MemoryInitiatorSocket = NativeInitiatorSocket<kMemorySocketBits>;
using MemoryTargetSocket = NativeTargetSocket<kMemorySocketBits>;

/// Debug transport through `socket`: bytes done. When a module that is no block has not even one of them the
/// response status becomes TLM_ADDRESS_ERROR_RESPONSE; our own memory without data, whose time alone is of
/// interest, leaves it as it is.
unsigned debug_access(MemoryInitiatorSocket& socket, tlm::tlm_generic_payload& payload);

/// Ignorable phase on the backward path: a gate (TargetPort::Gate) that still withholds a request does so for
/// another reason from now on. The reason for which it did so first is not announced.
DECLARE_EXTENDED_PHASE(REFUSAL_CHANGED);

/// The bit that a port sets when a message arrives, if its owner asked for it.
struct ActivityFlag {
  std::uint64_t* word = nullptr;
  std::uint64_t bit = 0;
  void raise() const {
    if (word != nullptr) *word |= bit;
  }
};

/// Initiator end of a memory hop: the four phases of the base protocol as "may I send", "send", "is there a
/// response", "take it". The owner is woken by an acceptance that it waits for and by every response.
///
/// Call begin_tick() first in the owner's tick. A request is sent with BEGIN_REQ at the owner's edge; the
/// next may be sent when the time of END_REQ, that of the call and its annotation, has come, at the next edge
/// at the earliest. A response stays with END_RESP withheld while the response queue is full.
///
/// Of a module that is no block END_REQ, or what implies it, counts from an edge on that does not depend on
/// whether the owner sleeps, nor on whose process comes first: said in the call of BEGIN_REQ, from the
/// present edge on with an annotation of up to a period of the owner's clock, otherwise from the first edge
/// at or after its time; said later, from the first edge strictly after its time. Only what is said without
/// an annotation in the tick of a block of lower order of the same domain (a gate's answer that a bridge
/// passes on) counts from the present edge on. Until then awaiting_accept() has the request.
///
/// An owner that ticks after its target in the same domain is woken at the target's own edge when a gate
/// accepts its request or refuses it for another reason.
///
/// Of a module that is no block a response is taken only to a request that was sent to it and not answered,
/// with the address that it was sent with, and END_REQ only of the request that waits for it.
class InitiatorPort : private tlm::tlm_bw_transport_if<>, private NativeInterface {
  /// A request completed by the return of its send() while the response queue was full: no phase is left to
  /// withhold, so it waits here, and no request is sent meanwhile.
  struct Completed {
    tlm::tlm_generic_payload* payload = nullptr;
    Ticks arrival = 0;
  };

  static constexpr Ticks kNotAccepted = ~Ticks{0};

  // What each hop needs: together, in front of the socket.
  Clocked& owner_;
  tlm::tlm_generic_payload* awaiting_ = nullptr;  ///< until END_REQ counts, at free_at_ at the latest
  Ticks free_at_ = 0;                             ///< earliest time of the next BEGIN_REQ
  tlm::tlm_fw_nonblocking_transport_if<>* target_ = nullptr;  ///< bound to the socket, once asked for
  Completed completed_;
  ActivityFlag activity_;
  bool ends_apart_ = false;
  bool hands_over_ = false;
  bool unsaid_ = false;  ///< awaiting_ is to be handed over
  bool saying_ = false;  ///< the call of BEGIN_REQ to a module that is no block is under way
  Inbox responses_;
  std::unique_ptr<SentRequests> sent_;  ///< to a module that is no block

 public:
  /// `name` names the socket in the owner's hierarchy. `response_depth` >= 1; 2 for full rate.
  InitiatorPort(const char* name, Clocked& owner, unsigned response_depth = 2);

  MemoryInitiatorSocket socket;

  /// For targets that expect END_RESP on the forward path: it is sent at an edge after the response, never
  /// given as the return of BEGIN_RESP. Before the simulation starts.
  void end_responses_apart() { ends_apart_ = true; }

  /// The hop leads from one strand to another, or to what ticks beside them (ClockTree): what this port says
  /// while several threads are at work is said when they are done, at the same time. Both of its ends must be
  /// told. Before the simulation starts.
  void hand_over();

  void begin_tick() {
    if (responses_.has_offer() || completed_.payload != nullptr) accept_responses();
  }

  /// True when a request may be sent at the owner's present edge.
  bool can_send() const { return owner_.domain().now() >= free_at_ && completed_.payload == nullptr; }
  /// Sends; requires can_send(). The payload's address, command and length must not change until its
  /// response has been taken.
  void send(tlm::tlm_generic_payload& payload);
  /// In the owner's tick, before it sends: a request of an earlier edge had not been accepted before this
  /// one.
  bool kept_waiting() const {
    const Ticks now = owner_.domain().now();
    return (awaiting_ != nullptr && now < free_at_) || free_at_ == now + 1;
  }
  /// The request whose END_REQ is outstanding, or does not count yet; or nullptr, as when one is handed over,
  /// which may be accepted at once: can_send() knows at the owner's next edge. In the owner's tick. The owner
  /// is woken when it becomes nullptr.
  tlm::tlm_generic_payload* awaiting_accept() const {
    return unsaid_ || owner_.domain().now() >= free_at_ ? nullptr : awaiting_;
  }

  bool has_response() const { return responses_.ready(owner_.domain().now()); }
  tlm::tlm_generic_payload& response() const { return responses_.front(); }
  void pop_response() {
    responses_.pop(owner_.domain().now());
    // An offered response is accepted at a later edge, by begin_tick(); a queued one is looked at then.
    if (!no_responses()) owner_.wake();
  }
  /// No response queued or offered, visible or not.
  bool no_responses() const { return responses_.empty() && completed_.payload == nullptr; }
  /// Whether `test(payload)` holds for a response that is queued or offered, visible or not.
  template <class Test>
  bool any_response(Test test) const {
    return responses_.any_of(test) || (completed_.payload != nullptr && test(*completed_.payload));
  }
  /// Every arriving message sets bit `bit` of `word`: an owner with many ports looks only at those named
  /// there. `word` must outlive the port.
  void announce(std::uint64_t& word, unsigned bit) { activity_ = {&word, std::uint64_t{1} << bit}; }

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override;
  bool ticks() const override { return true; }
  const ClockDomain* clock() const override { return &owner_.domain(); }
  void accept_responses();
  void say_request(tlm::tlm_generic_payload& payload);
  void say_end(tlm::tlm_generic_payload& payload);
  /// A member as what HandOver calls.
  template <void (InitiatorPort::*kMember)(tlm::tlm_generic_payload&)>
  static void say(void* port, tlm::tlm_generic_payload& payload) {
    (static_cast<InitiatorPort*>(port)->*kMember)(payload);
  }
  bool apart() const { return hands_over_ && owner_.domain().strands_running(); }
  bool take_response(tlm::tlm_generic_payload& payload, Ticks delay);
  void take_completed(tlm::tlm_generic_payload& payload, Ticks delay);
  void take_acceptance(Ticks delay);
  void take_strangers_acceptance(Ticks delay);
  void take_returned_acceptance(Ticks delay);

  tlm::tlm_fw_nonblocking_transport_if<>& target() {
    if (target_ == nullptr) find_target();
    return *target_;
  }
  [[gnu::cold]] void find_target();
  [[gnu::cold]] bool asked_for(tlm::tlm_generic_payload& payload);
};

/// Target end of a memory hop; see InitiatorPort. END_REQ is given as soon as a request enters the queue of
/// `depth` and withheld while the queue is full. A request is visible strictly after it was sent.
class TargetPort : private tlm::tlm_fw_transport_if<>, private NativeInterface {
 public:
  class Backdoor;
  class Gate;

 private:
  // What each hop needs: together, in front of the socket.
  Clocked& owner_;
  Gate* gate_ = nullptr;
  tlm::tlm_generic_payload* awaiting_end_ = nullptr;             ///< response whose END_RESP is outstanding
  Ticks free_at_ = 0;                                            ///< earliest time of the next BEGIN_RESP
  tlm::tlm_bw_nonblocking_transport_if<>* initiator_ = nullptr;  ///< bound to the socket, once asked for
  ActivityFlag activity_;
  bool hands_over_ = false;
  bool unsaid_ = false;  ///< awaiting_end_ is to be handed over
  Inbox requests_;
  Backdoor* backdoor_ = nullptr;

 public:
  /// What a block offers besides timing: untimed access to its data. Optional.
  class Backdoor {
   public:
    virtual ~Backdoor() = default;
    /// Loosely timed access: does it and sets the response status; adds its latency to `delay`.
    virtual void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) = 0;
    /// Debug access: bytes done.
    virtual unsigned transport_dbg(tlm::tlm_generic_payload& payload) = 0;
  };

  /// For an owner that decides about a request in the moment in which it is offered, by what it can do with
  /// that very request, and not by the room in a queue. The decision may depend on what the owner did at this
  /// edge, so the owner's order must be below its initiator's, in the same clock domain.
  class Gate {
   public:
    enum class Answer : std::uint8_t {
      kTaken,
      kWithheld,
      kOtherReason,  ///< withheld for another reason than when it was asked last
    };
    virtual ~Gate() = default;
    /// Takes `payload`, which is the owner's from now on, or leaves it withheld, to be asked about again at
    /// each begin_tick(). An owner that takes a payload wakes itself as it needs; one that left it is not
    /// woken for it, since what it can do changes in its own ticks only. It may be asked in the moment of the
    /// offer, before it ticks at that edge (a standard initiator's processes come when they come), and is
    /// asked again after that tick.
    virtual Answer admit(tlm::tlm_generic_payload& payload) = 0;
  };

  TargetPort(const char* name, Clocked& owner, unsigned depth = 2, Backdoor* backdoor = nullptr);
  /// Without a queue: has_request() is never true.
  TargetPort(const char* name, Clocked& owner, Gate& gate, Backdoor* backdoor = nullptr);

  MemoryTargetSocket socket;

  /// See InitiatorPort::hand_over. Not with a gate.
  void hand_over();

  /// Accepts a withheld request for which there is room now.
  void begin_tick() {
    if (requests_.has_offer()) accept_withheld();
  }

  bool has_request() const { return requests_.ready(owner_.domain().now()); }
  tlm::tlm_generic_payload& request() const { return requests_.front(); }
  void pop_request() {
    requests_.pop(owner_.domain().now());
    if (!requests_.empty()) owner_.wake();
  }
  unsigned queued() const { return requests_.size(); }
  /// Those of them that the owner can see at its present edge.
  unsigned visible() const { return requests_.visible(owner_.domain().now()); }
  /// The request whose acceptance is withheld, or nullptr.
  tlm::tlm_generic_payload* withheld() const { return requests_.offered(); }
  /// No request queued or offered, visible or not.
  bool no_requests() const { return requests_.empty(); }
  /// See InitiatorPort::announce.
  void announce(std::uint64_t& word, unsigned bit) { activity_ = {&word, std::uint64_t{1} << bit}; }

  /// True when a response may be sent at the owner's present edge.
  bool can_respond() const { return awaiting_end_ == nullptr && owner_.domain().now() >= free_at_; }
  /// A response was sent whose END_RESP is outstanding: its arrival wakes the owner. False when one is handed
  /// over, which may be taken at once: can_respond() knows at the owner's next edge.
  bool awaiting_end() const { return awaiting_end_ != nullptr && !unsaid_; }
  /// Sends BEGIN_RESP; requires can_respond(). Sets TLM_OK_RESPONSE if the response is still incomplete.
  /// After END_RESP the payload belongs to the initiator alone.
  void respond(tlm::tlm_generic_payload& payload);

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool ticks() const override { return true; }
  const ClockDomain* clock() const override { return &owner_.domain(); }
  bool needs_its_clock() const override { return gate_ != nullptr; }

  void accept_withheld();
  void say_acceptance(tlm::tlm_generic_payload& payload);
  void say_response(tlm::tlm_generic_payload& payload);
  template <void (TargetPort::*kMember)(tlm::tlm_generic_payload&)>
  static void say(void* port, tlm::tlm_generic_payload& payload) {
    (static_cast<TargetPort*>(port)->*kMember)(payload);
  }
  bool apart() const { return hands_over_ && owner_.domain().strands_running(); }
  bool admitted(tlm::tlm_generic_payload& payload, Ticks now, Ticks arrival);
  tlm::tlm_generic_payload* ask_gate(Ticks now);

  tlm::tlm_bw_nonblocking_transport_if<>& initiator() {
    if (initiator_ == nullptr) initiator_ = socket.operator->();
    return *initiator_;
  }
};

}  // namespace heddle
