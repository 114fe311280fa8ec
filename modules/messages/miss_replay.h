#pragma once

#include "modules/messages/memory_request.h"
#include "tlm/clocked.h"

namespace heddle {

/// Tells the L1D, before it offers the MSHRs a load, whether they would take it: wires, valid from the MSHRs'
/// tick at an edge on.
class MshrReady {
 public:
  virtual ~MshrReady() = default;
  /// A line could be fetched that is not being fetched yet.
  virtual bool has_room() const = 0;
  /// Why the MSHRs would refuse the cacheable load; kNone: they would take it.
  virtual Refusal refusal_of(const tlm::tlm_generic_payload& load) const = 0;
  /// The load's line is being fetched.
  virtual bool fetches(const tlm::tlm_generic_payload& load) const = 0;
  /// Wakes `waiting`, which ticks after the MSHRs, at the first edge with has_room() or at which they send a
  /// response: before that, without a request to them, none of the answers above improves.
  virtual void call(Clocked& waiting) = 0;
};

/// A re-execution queue beside the exit of the L1D's pipe, as the L1D sees it: loads that the MSHRs can't
/// take wait there and are looked up again, so that later ones may hit.
class MissReplay {
 public:
  virtual ~MissReplay() = default;
  /// Loads of `warp` may send misses to the MSHRs.
  virtual bool may_miss(unsigned warp) const = 0;
  /// There is a place for the load, and its warp has no other instruction in the queue.
  virtual bool can_take(const MemoryRequest& request) const = 0;
  /// Requires can_take().
  virtual void push(tlm::tlm_generic_payload& payload, Cycle cycle) = 0;
  virtual bool empty() const = 0;
  /// The load whose turn it is; requires that the queue is not empty.
  virtual tlm::tlm_generic_payload& front() = 0;
  /// The front has left the L1D.
  virtual void pop(Cycle cycle) = 0;
  /// A load can't be pushed in a cycle in which the front became the last: the only write port is taken.
  virtual bool one_push_a_cycle() const = 0;
  /// The front becomes the last; `looked_up`: in vain.
  virtual void rotate(Cycle cycle, bool looked_up) = 0;
  /// rotate(cycle, false) in each cycle from `first` to `last`.
  virtual void rotate_each(Cycle first, Cycle last) = 0;
};

}  // namespace heddle
