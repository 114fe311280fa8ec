#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "modules/warp_scheduler/choice_pipeline.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {

/// All policies of one SM: what its schedulers share, and the qualifier and prioritizer of each scheduler.
/// Plain C++; hands events to the shared policies that hear them.
class SmPolicies {
 public:
  /// Creates what context.gpu.scheduler.name names (see find_policies) for each of core.schedulers. Throws
  /// std::invalid_argument as find_policies does, and SettingError for a policy's parameter.
  explicit SmPolicies(const SmContext& context);

  const PolicyNames& names() const { return names_; }
  /// What the qualifiers share; nullptr: nothing.
  const SharedPolicy* of_qualifier() const;
  /// Names of the policies, those inside adaptive ones included, that are built of no parts and do not say
  /// that they need none (Hardware::kNone): what they cost is not known. For what was made with an inventory.
  const std::vector<std::string>& unpriced() const { return unpriced_; }
  /// Parts that all of them are built of, when there is an inventory.
  std::size_t num_parts() const { return num_parts_; }

  /// When the choice of a warp takes several cycles (scheduler.choice_cycles): its stages; nullptr in one.
  ChoicePipeline* choice(unsigned scheduler) {
    return choices_.empty() ? nullptr : choices_[scheduler].get();
  }

  PolicyPair& of_scheduler(unsigned scheduler) { return pairs_[scheduler]; }
  const PolicyPair& of_scheduler(unsigned scheduler) const { return pairs_[scheduler]; }

  /// False when every ready warp may issue, whatever happens: the qualifiers need not be asked or told.
  bool qualifies() const { return !names_.qualifier->admits_all; }

  /// Some shared policy hears one of these kinds.
  template <class... Kinds>
  bool hear() const {
    return (heard_ & (Kinds::kBit | ...)) != 0;
  }
  bool any_shared() const { return !shared_.empty(); }
  /// All kinds that they hear.
  EventSet heard() const { return heard_; }
  /// The L1D has to keep a warp with each line: see SharedPolicyEntry.
  bool read_line_warps() const { return read_line_warps_; }

  /// Hands `event`, of this kind, to the shared policies that hear it.
  template <class Kind>
  void tell(const typename Kind::Type& event) {
    for (const Listener& listener : listeners_) {
      if ((listener.hears & Kind::kBit) != 0) (listener.policy->*Kind::kHandler)(event);
    }
  }
  /// SharedPolicy::can_wait of the only one that there is.
  template <class Event>
  bool can_wait(const Event& event) const {
    if constexpr (std::is_same_v<Event, L1dAccess> || std::is_same_v<Event, MshrRoom>) {
      return alone_ != nullptr && alone_->can_wait(event);
    }
    return false;
  }
  /// `watcher`, which must outlive this, is told these kinds and every note too, before the policies are.
  void watch(SharedPolicy& watcher, EventSet kinds);

  /// Tells watchers what a policy of the SM posts.
  void tell_posted(const PolicyNote& note) {
    for (SharedPolicy* const watcher : watchers_) watcher->on_posted(note);
  }
  /// Hands the note to the policies of the kind that posted it.
  void tell_note(const PolicyNote& note);

  /// That of the first shared policy that has one, or nullptr.
  MissReplay* miss_replay();

  /// SharedPolicy::calls_for_run of any, watchers included.
  bool call_for_run();

  /// SharedPolicy::update of all; the earliest of their times.
  std::uint64_t update(std::uint64_t cycle);
  /// SharedPolicy::restless of any.
  bool restless(std::uint64_t cycle) const;

  /// SharedPolicy::show and Prioritizer::show of all; the earliest of their times.
  std::uint64_t show(std::uint64_t cycle);
  /// SharedPolicy::settle of all.
  void settle(std::uint64_t cycle);
  /// Of the shared policies; those of a scheduler are told through report_facets and trace_facets.
  void report(StatSink& sink) const;
  void trace(WaveSink& sink);
  void report_facets(unsigned scheduler, StatSink& sink) const;
  void trace_facets(unsigned scheduler, WaveSink& sink);
  /// SharedPolicy::trace_state of all; SchedulingPolicy::trace_state.
  void trace_state(WaveSink& sink);
  void trace_state_of_facets(unsigned scheduler, WaveSink& sink);

 private:
  struct Shared {
    const SharedPolicyEntry* entry;
    std::unique_ptr<SharedPolicy> policy;
    bool has_parts;  ///< of its own, beside those of policies inside it
  };

  /// A shared policy, or one inside it.
  struct Listener {
    SharedPolicy* policy;
    EventSet hears;
  };

  const Shared* share(const SharedPolicyEntry* entry, const SmContext& context);
  template <class Entry, class Facet>
  void create_facets(const Entry& entry, const Shared* shared, const SmContext& context,
                     std::unique_ptr<Facet> PolicyPair::*facet);
  void make_choices(const SmContext& context);
  void add_unpriced(const std::string& name);

  PolicyNames names_;
  std::vector<Shared> shared_;
  std::vector<PolicyPair> pairs_;
  std::vector<std::unique_ptr<ChoicePipeline>> choices_;  ///< by scheduler; empty: in one cycle
  std::vector<Listener> listeners_;                       ///< those inside a policy before it
  SharedPolicy* alone_ = nullptr;                         ///< hears, and no other is there, nor inside
  EventSet heard_ = 0;
  std::vector<SharedPolicy*> watchers_;
  bool read_line_warps_ = false;
  std::vector<std::string> unpriced_;
  std::size_t num_parts_ = 0;
};

}  // namespace heddle
