#pragma once

#include <memory>
#include <vector>

#include "modules/sm/events/memory_event_queue.h"
#include "modules/warp_scheduler/sm_policies.h"
#include "tlm/clocked.h"

namespace heddle {

/// Tells the scheduling policies of an SM what happens: at once what the SM's own issue does, at the next
/// edge what its memory side and the host do and what policies of other SMs post. Plain C++; owns the
/// policies.
class PolicyFeed : private PolicyBoard::Reader {
 public:
  /// Creates the policies; throws std::invalid_argument as SmPolicies does. `teller` calls deliver() in each
  /// of its ticks, and is woken for what waits. Without a board in `context` the SM has its own.
  PolicyFeed(const SmContext& context, Clocked& teller);

  /// The qualifier and prioritizer of each scheduler, and what schedulers share.
  SmPolicies& policies() { return policies_; }
  const SmPolicies& policies() const { return policies_; }

  /// Some policy is told anything at all.
  bool any() const { return any_; }
  /// Some policy hears one of these kinds.
  template <class... Kinds>
  bool heard() const {
    return (heard_ & (Kinds::kBit | ...)) != 0;
  }

  /// Everything that the policies are told, and what is of `kinds`, is told to `watcher` too, which must
  /// outlive this.
  void watch(SharedPolicy& watcher, EventSet kinds);
  /// All kinds that policies hear, or a watcher.
  EventSet heard() const { return heard_; }

  /// Tells the policies that hear this kind, at once.
  template <class Kind>
  void tell(const typename Kind::Type& event) {
    policies_.tell<Kind>(event);
  }
  /// What happened at the present cycle outside of the SM's issue: told by the next deliver(), for which the
  /// teller is not woken if the policies can wait.
  template <class Event>
  void publish(const Event& event) {
    memory_events_.push(event);
    if (!policies_.can_wait(event)) teller_.wake();
  }
  /// The same for what the TB dispatcher says of a whole grid, whose way to the SMs takes its cycles: told as
  /// if it had happened the cycle before.
  void announce(const GridDispatched& event);
  /// Tells what happened before `cycle` and has not been told; returns whether the schedulers have to run for
  /// it.
  bool deliver(Cycle cycle);
  /// Tells what happened before `cycle` and waited, and charges what the policies count up to it.
  void settle(Cycle cycle) {
    memory_events_.deliver(cycle);
    policies_.settle(cycle);
  }

  /// With waves: SmPolicies::show.
  Cycle show(Cycle cycle) { return policies_.show(cycle); }

  /// SharedPolicy::update of all; the earliest of their times.
  Cycle update(Cycle cycle) { return any_ ? policies_.update(cycle) : SharedPolicy::kNever; }

 private:
  void notes_posted() override;
  void posts(const PolicyNote& note) override { policies_.tell_posted(note); }
  bool tell_announced(Cycle cycle);

  // What each tick asks: together, in front of the policies.
  EventSet heard_ = 0;
  bool any_ = false;
  bool notes_waiting_ = false;
  Clocked& teller_;
  const unsigned sm_;
  const Cycle broadcast_cycles_;
  std::unique_ptr<PolicyBoard> own_board_;
  PolicyBoard& board_;
  SmPolicies policies_;
  MemoryEventQueue memory_events_;
  std::vector<PolicyNote> notes_;          ///< those being told
  std::vector<GridDispatched> announced_;  ///< on their way, the first to arrive first
};

}  // namespace heddle
