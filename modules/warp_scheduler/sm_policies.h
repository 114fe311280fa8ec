#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {

/// All policies of one SM: what its schedulers share, and the qualifier and prioritizer of each scheduler.
/// Plain C++; hands events to the shared policies that want them.
class SmPolicies {
 public:
  /// Creates what context.gpu.scheduler.name names (see find_policies) for each of core.schedulers. Throws
  /// std::invalid_argument as find_policies does, or for a policy's parameter that is out of range.
  explicit SmPolicies(const SmContext& context);

  PolicyPair& of_scheduler(unsigned scheduler) { return pairs_[scheduler]; }
  const PolicyPair& of_scheduler(unsigned scheduler) const { return pairs_[scheduler]; }

  /// False when every ready warp may issue, whatever happens: the qualifiers need not be asked or told.
  bool qualifies() const { return !names_.qualifier->admits_all; }

  /// The shared policy wants one of `kinds`.
  bool want(EventMask kinds) const { return (wanted_ & kinds) != 0; }
  bool any_shared() const { return !shared_.empty(); }
  /// All that they want.
  EventMask wanted() const { return wanted_; }

  /// Hands `event` to `handler` of the shared policies that want its `kind`.
  template <class Event>
  void tell(EventMask kind, void (SharedPolicy::*handler)(const Event&), const Event& event) {
    for (Shared& shared : shared_) {
      if ((shared.wanted & kind) != 0) (shared.policy.get()->*handler)(event);
    }
  }
  /// Hands the note to the policies of the kind that posted it.
  void tell_note(const PolicyNote& note);

  /// That of the first shared policy that has one, or nullptr.
  MissReplay* miss_replay();

  /// SharedPolicy::update of all; the earliest of their times.
  std::uint64_t update(std::uint64_t cycle);

  /// SharedPolicy::settle of all.
  void settle(std::uint64_t cycle);
  /// Of the shared policies; those of a scheduler are told through report_facets and trace_facets.
  void report(StatSink& sink) const;
  void trace(WaveSink& sink);
  void report_facets(unsigned scheduler, StatSink& sink) const;
  void trace_facets(unsigned scheduler, WaveSink& sink);

 private:
  struct Shared {
    const SharedPolicyEntry* entry;
    EventMask wanted;
    std::unique_ptr<SharedPolicy> policy;
  };

  SharedPolicy* share(const SharedPolicyEntry* entry, const SmContext& context);

  PolicyNames names_;
  std::vector<Shared> shared_;
  std::vector<PolicyPair> pairs_;
  EventMask wanted_ = 0;
};

}  // namespace heddle
