#pragma once

#include <tlm>

#include "tlm/clocked.h"
#include "tlm/inbox.h"
#include "tlm/memory_request.h"

namespace heddle {

/// Bus width template argument of every memory socket: it carries no timing.
constexpr unsigned kMemorySocketBits = 64;
using MemoryInitiatorSocket = tlm::tlm_initiator_socket<kMemorySocketBits>;
using MemoryTargetSocket = tlm::tlm_target_socket<kMemorySocketBits>;

/// Initiator end of a memory hop: the four phases of the base protocol as "may I send", "send", "is there a
/// response", "take it". The owner is woken by an acceptance that it waits for and by every response.
///
/// Call begin_tick() first in the owner's tick. A request is sent with BEGIN_REQ at the owner's edge; the next
/// may be sent once END_REQ has come (with the request's return, or later) and its time has passed, at the
/// next edge at the earliest. A response stays with END_RESP withheld while the response queue is full.
class InitiatorPort : private tlm::tlm_bw_transport_if<> {
 public:
  /// `name` names the socket in the owner's hierarchy. `response_depth` >= 1; 2 for full rate.
  InitiatorPort(const char* name, Clocked& owner, unsigned response_depth = 2);

  MemoryInitiatorSocket socket;

  void begin_tick();

  /// True when a request may be sent at the owner's present edge.
  bool can_send() const;
  /// Sends; requires can_send(). The payload's address, command and length must not change until its
  /// response has been taken.
  void send(tlm::tlm_generic_payload& payload);
  /// The request whose END_REQ is outstanding, or nullptr.
  tlm::tlm_generic_payload* awaiting_accept() const { return awaiting_; }

  bool has_response() const { return responses_.ready(owner_.domain().now()); }
  tlm::tlm_generic_payload& response() const { return responses_.front(); }
  void pop_response();
  /// No response queued or offered, visible or not.
  bool no_responses() const { return responses_.empty(); }

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override;
  bool take_response(tlm::tlm_generic_payload& payload, Ticks delay);

  Clocked& owner_;
  Inbox responses_;
  tlm::tlm_generic_payload* awaiting_ = nullptr;
  Ticks free_at_ = 0;  ///< earliest time of the next BEGIN_REQ
};

/// Target end of a memory hop; see InitiatorPort. END_REQ is given as soon as a request enters the queue of
/// `depth` and withheld while the queue is full. A request is visible strictly after it was sent.
class TargetPort : private tlm::tlm_fw_transport_if<> {
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

  TargetPort(const char* name, Clocked& owner, unsigned depth = 2, Backdoor* backdoor = nullptr);

  MemoryTargetSocket socket;

  /// Accepts a withheld request for which there is room now, and completes pending hand-overs.
  void begin_tick();

  bool has_request() const { return requests_.ready(owner_.domain().now()); }
  tlm::tlm_generic_payload& request() const { return requests_.front(); }
  void pop_request();
  unsigned queued() const { return requests_.size(); }
  /// The request whose acceptance is withheld, or nullptr.
  tlm::tlm_generic_payload* withheld() const { return requests_.offered(); }
  /// No request queued or offered, visible or not.
  bool no_requests() const { return requests_.empty(); }

  /// True when a response may be sent at the owner's present edge.
  bool can_respond() const;
  /// Sends BEGIN_RESP; requires can_respond(). Sets TLM_OK_RESPONSE if the response is still incomplete.
  /// After END_RESP the payload belongs to the initiator alone.
  void respond(tlm::tlm_generic_payload& payload);

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

  Clocked& owner_;
  Inbox requests_;
  Backdoor* backdoor_;
  tlm::tlm_generic_payload* awaiting_end_ = nullptr;  ///< response whose END_RESP is outstanding
  Ticks free_at_ = 0;                                 ///< earliest time of the next BEGIN_RESP
};

}  // namespace heddle
