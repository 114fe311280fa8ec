#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/observe.h"
#include "modules/config/gpu_config.h"
#include "modules/messages/miss_replay.h"
#include "modules/warp_scheduler/policy_board.h"
#include "modules/warp_scheduler/policy_events.h"
#include "modules/warp_scheduler/policy_host.h"
#include "modules/warp_scheduler/served_warps.h"

namespace heddle {

class SmPolicies;

/// What the policies of an SM are created for. `table`, `gpu` and what is pointed to outlive them.
struct SmContext {
  const WarpTable& table;
  const GpuConfig& gpu;
  unsigned sm = 0;
  const PolicyHost* host = nullptr;  ///< nullptr: nothing will run (checks, cost)
  PolicyBoard* board = nullptr;      ///< likewise
  hw::Owner hardware = {};           ///< the SM, as owner of the parts that its policies are built of
  const ServedTbs* share = nullptr;  ///< nullptr: the policies are for all warps of the SM

  /// The same, with parts that belong to `name` inside its owner.
  SmContext child(std::string_view name) const {
    SmContext inner{table, gpu, sm, host, board, hardware.child(name), share};
    return inner;
  }

  /// What users set of a policy's parameters, and the defaults of the others: read once, when it is made.
  template <class Values>
  const Values& values_of(const ParametersOf<Values>& parameters) const {
    return gpu.scheduler.settings.of(parameters);
  }
};

/// The half of a warp-scheduling policy that the schedulers of an SM share: plain C++, created once per SM,
/// told what happens on the SM once, and read by the policy's qualifiers and prioritizers.
///
/// Events of the issue stage itself (kernels to results) are told at the cycle at which they happen, before
/// the facets are told: a scheduler that chooses later in the same cycle sees them. What the LD/ST unit, the
/// L1D, the MSHRs and other SMs do at t is told at t + 1, before anything else of that cycle. After every
/// event but a stall the schedulers run, unless the policy does not call for it: an issue is followed by the
/// next cycle, the others by their own.
class SharedPolicy {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  SharedPolicy() = default;
  virtual ~SharedPolicy() = default;
  SharedPolicy(const SharedPolicy&) = delete;
  SharedPolicy& operator=(const SharedPolicy&) = delete;

  // The handlers, one for each kind of event in policy_events.h. A policy hears the kinds that it overrides;
  // what no policy hears costs one untaken branch.
#define HEDDLE_HANDLER(kind, type, handler) \
  virtual void handler(const type& /*event*/) {}
  HEDDLE_POLICY_EVENTS(HEDDLE_HANDLER)
#undef HEDDLE_HANDLER

  /// Always called, whoever posted.
  virtual void on_note(const PolicyNote& /*note*/) {}
  /// Told to watchers alone, at once: a policy of the SM posts a note.
  virtual void on_posted(const PolicyNote& /*note*/) {}

  /// The schedulers that it is built of, when it chooses between whole ones. They hear every event before it
  /// does.
  virtual std::vector<SmPolicies*> inside() { return {}; }

  /// A policy's re-execution queue beside the L1D, which uses it when there is one.
  virtual MissReplay* miss_replay() { return nullptr; }

  /// Asked after it was told what the memory side did: whether the schedulers have to run for any of that,
  /// since they may choose otherwise, or update() may have something to do or another time to say. Changes
  /// nothing but the answer to the next question.
  virtual bool calls_for_run() { return true; }

  /// The event, of what the memory side did, may be told late: before anything else is told, update() is
  /// called or statistics are read, but not for its own sake, since with all that was asked about before it
  /// changes nothing that the policy says or does by itself. Asked of the SM's only policy, when the event
  /// happens.
  virtual bool can_wait(const L1dAccess& /*event*/) { return false; }
  virtual bool can_wait(const MshrRoom& /*event*/) { return false; }

  /// Called once before the schedulers choose, at every cycle at which they run. As SchedulingPolicy::update:
  /// a second call with nothing new must change nothing, unless its time has come.
  virtual std::uint64_t update(std::uint64_t /*cycle*/) { return kNever; }

  /// Hardware timing: in `cycle`, which may be past, something of its parts goes on that nothing has to be
  /// told for, or may.
  virtual bool restless(std::uint64_t /*cycle*/) const { return false; }

  /// With waves, at the end of each of the SM's ticks, whether the schedulers ran in it or not: makes up what
  /// it has put off and shows it as it is in `cycle`. Changes nothing else, and counts nothing that is not
  /// counted without waves. Returns the next cycle in which what is shown changes by itself, or kNever.
  virtual std::uint64_t show(std::uint64_t /*cycle*/) { return kNever; }

  /// Charges what it counts per cycle up to and including `cycle`, before statistics are read.
  virtual void settle(std::uint64_t /*cycle*/) {}
  /// Into a scope of the policy's name inside the SM's.
  virtual void report(StatSink& /*sink*/) const {}
  virtual void trace(WaveSink& /*sink*/) {}
  /// Of the signals of trace(), by the same names, those that tell the policy's state at a glance: statistics
  /// over time look at them every now and then, after settle(). What is mirrored for them may be so in
  /// settle() alone.
  virtual void trace_state(WaveSink& /*sink*/) {}
};

/// The kinds of events, as types: event::Issue::Type is what its handler is told.
namespace event {

enum class Number : unsigned {
#define HEDDLE_NUMBER(kind, type, handler) k##kind,
  HEDDLE_POLICY_EVENTS(HEDDLE_NUMBER)
#undef HEDDLE_NUMBER
      kCount
};
static_assert(static_cast<unsigned>(Number::kCount) <= 32, "an EventSet has 32 bits");

#define HEDDLE_KIND(kind, type, handler)                                                              \
  struct kind {                                                                                       \
    using Type = ::heddle::type;                                                                      \
    static constexpr unsigned kIndex = static_cast<unsigned>(Number::k##kind);                        \
    static constexpr EventSet kBit = EventSet{1} << kIndex;                                           \
    static constexpr void (SharedPolicy::*kHandler)(const Type&) = &SharedPolicy::handler;            \
    /* The class in which the name is found is not SharedPolicy: somewhere below it is overridden. */ \
    template <class Policy>                                                                           \
    static constexpr bool kOverridden =                                                               \
        !std::is_same_v<decltype(&Policy::handler), void (SharedPolicy::*)(const Type&)>;             \
  };
HEDDLE_POLICY_EVENTS(HEDDLE_KIND)
#undef HEDDLE_KIND

template <class... Kinds>
struct List {};
template <class First, class... Kinds>
List<Kinds...> without_first(List<First, Kinds...>);
/// All of them.
#define HEDDLE_IN_LIST(kind, type, handler) , kind
using All = decltype(without_first(List<void HEDDLE_POLICY_EVENTS(HEDDLE_IN_LIST)>()));
#undef HEDDLE_IN_LIST

}  // namespace event

/// The kinds that `Policy` overrides the handlers of.
template <class Policy>
constexpr EventSet events_heard_by() {
  EventSet heard = 0;
#define HEDDLE_HEARD(kind, type, handler) heard |= event::kind::kOverridden<Policy> ? event::kind::kBit : 0;
  HEDDLE_POLICY_EVENTS(HEDDLE_HEARD)
#undef HEDDLE_HEARD
  return heard;
}

/// A kind of shared policy; made by shared_policy(). A qualifier's and a prioritizer's entry that point to
/// the same one share one object per SM; different ones have one each.
struct SharedPolicyEntry {
  const char* name;  ///< scope in statistics and waves
  /// `channel` posts notes to the same kind on all SMs.
  std::unique_ptr<SharedPolicy> (*create)(const SmContext& context, const PolicyChannel& channel);
  EventSet hears;  ///< what `create` makes
  /// It reads L1dAccess::line_warp of hits or L1dEviction::filled_by, so that the L1D has to keep a warp with
  /// each line. (Who hears L2Reply needs the same of the L2.)
  bool reads_line_warps = false;
};

/// The entry of `Policy`, which is made from an SmContext and a PolicyChannel, or the first of them, or
/// neither; it hears what it overrides.
template <class Policy>
constexpr SharedPolicyEntry shared_policy(const char* name, bool reads_line_warps = false) {
  return {name,
          [](const SmContext& context, const PolicyChannel& channel) -> std::unique_ptr<SharedPolicy> {
            if constexpr (std::is_constructible_v<Policy, const SmContext&, const PolicyChannel&>) {
              return std::make_unique<Policy>(context, channel);
            } else if constexpr (std::is_constructible_v<Policy, const SmContext&>) {
              static_cast<void>(channel);
              return std::make_unique<Policy>(context);
            } else {
              static_cast<void>(context);
              static_cast<void>(channel);
              return std::make_unique<Policy>();
            }
          },
          events_heard_by<Policy>(), reads_line_warps};
}

}  // namespace heddle
