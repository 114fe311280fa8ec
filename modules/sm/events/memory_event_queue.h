#pragma once

#include <variant>
#include <vector>

#include "modules/messages/memory_events.h"
#include "modules/warp_scheduler/sm_policies.h"

namespace heddle {

/// What the memory side of an SM, and the host, did at a cycle and its policies hear in the next one. Plain
/// C++; keeps the order in which things were told.
class MemoryEventQueue {
 public:
  explicit MemoryEventQueue(SmPolicies& policies) : policies_(policies) {}

  void push(const LoadCoalesced& event);
  /// Of the rooms that one cycle came to only the last one counts.
  void push(const MshrRoom& event);
  /// Adds up what becomes of the accesses of a load; with the last one the load is LoadLookedUp.
  void push(const L1dAccess& event);
  template <class Event>
  void push(const Event& event) {
    events_.push_back(event);
  }

  /// Tells the policies everything from before `cycle`; returns whether there was something.
  bool deliver(Cycle cycle);

 private:
  using Event = std::variant<KernelEvent, GridDispatched, LoadCoalesced, L1dAccess, L1dEviction, L1dStore,
                             LoadLookedUp, LoadReturned, MshrRoom, L2Reply>;

  void tell(const KernelEvent& event);
  void tell(const GridDispatched& event);
  void tell(LoadCoalesced event);
  void tell(const L1dAccess& event);
  void tell(const L1dEviction& event);
  void tell(const L1dStore& event);
  void tell(const LoadLookedUp& event);
  void tell(const LoadReturned& event);
  void tell(const MshrRoom& event);
  void tell(const L2Reply& event);

  SmPolicies& policies_;
  std::vector<Event> events_;     ///< in the order of their cycles
  std::vector<CacheLine> lines_;  ///< of the LoadCoalesced in events_, one behind the other
  std::size_t next_line_ = 0;     ///< first line not told
  struct LookUp {
    LoadLookedUp load;      ///< what its accesses came to so far
    unsigned queued = 0;    ///< accesses in the re-execution queue
    bool all_told = false;  ///< the last access has been looked up for the first time
  };
  std::vector<LookUp> looked_up_;  ///< loads being looked up: more than one with a re-execution queue only
};

}  // namespace heddle
