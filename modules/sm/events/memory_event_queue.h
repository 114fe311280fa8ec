#pragma once

#include <utility>
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
    append(event);
  }

  /// Tells the policies everything from before `cycle`; returns whether there was something.
  bool deliver(Cycle cycle);

 private:
  /// What any kind of event may be told with; which kind it is, is the index.
  template <class List>
  struct Queued;
  template <class... Kinds>
  struct Queued<event::List<Kinds...>> {
    using Event = std::variant<typename Kinds::Type...>;
  };
  using Event = Queued<event::All>::Event;
  /// What is not told yet, and the cycle of it.
  struct Waiting {
    template <class... Args>
    explicit Waiting(Cycle at, Args&&... args) : cycle(at), event(std::forward<Args>(args)...) {}
    Cycle cycle;
    Event event;
  };

  /// The kind that is told with `Type`: the queue takes those that share it with no other.
  template <class Type, class... Kinds>
  static constexpr std::size_t index_of(event::List<Kinds...> /*kinds*/) {
    static_assert((std::is_same_v<Type, typename Kinds::Type> + ...) == 1);
    std::size_t index = 0;
    static_cast<void>(((std::is_same_v<Type, typename Kinds::Type> || (++index, false)) || ...));
    return index;
  }
  template <class Event>
  static Cycle cycle_of(const Event& event) {
    return event.cycle;
  }
  static Cycle cycle_of(const StallEvent& event) { return event.first_cycle; }
  template <class Type>
  void append(const Type& event) {
    events_.emplace_back(cycle_of(event), std::in_place_index<index_of<Type>(event::All())>, event);
  }
  template <class... Kinds>
  void tell(const Event& event, event::List<Kinds...> kinds);
  template <class Kind>
  void tell_as(const Event& event);

  SmPolicies& policies_;
  std::vector<Waiting> events_;   ///< in the order of their cycles
  std::vector<CacheLine> lines_;  ///< of the LoadCoalesced in events_, one after the other
  std::size_t next_line_ = 0;     ///< first line not told
  struct LookUp {
    LoadLookedUp load;      ///< what its accesses came to so far
    unsigned queued = 0;    ///< accesses in the re-execution queue
    bool all_told = false;  ///< the last access has been looked up for the first time
  };
  std::vector<LookUp> looked_up_;  ///< loads being looked up: more than one with a re-execution queue only
};

}  // namespace heddle
