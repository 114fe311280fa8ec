#include "modules/warp_scheduler/sm_policies.h"

#include <algorithm>

namespace heddle {

SmPolicies::SmPolicies(const SmContext& context) : names_(find_policies(context.gpu.scheduler.name)) {
  SharedPolicy* const for_qualifier = share(names_.qualifier->shared, context);
  SharedPolicy* const for_prioritizer = share(names_.prioritizer->shared, context);
  for (unsigned s = 0; s < context.gpu.core.schedulers; ++s) {
    pairs_.push_back({names_.qualifier->create({context, s, for_qualifier}),
                      names_.prioritizer->create({context, s, for_prioritizer})});
  }
}

SharedPolicy* SmPolicies::share(const SharedPolicyEntry* entry, const SmContext& context) {
  if (entry == nullptr) return nullptr;
  for (const Shared& shared : shared_) {
    if (shared.entry == entry) return shared.policy.get();
  }
  std::unique_ptr<SharedPolicy> policy = entry->create(context, {context.board, entry, context.sm});
  const EventMask wanted = policy->wanted_events();
  wanted_ |= wanted;
  shared_.push_back({entry, wanted, std::move(policy)});
  return shared_.back().policy.get();
}

void SmPolicies::tell_note(const PolicyNote& note) {
  for (Shared& shared : shared_) {
    if (shared.entry == note.policy) shared.policy->on_note(note);
  }
}

MissReplay* SmPolicies::miss_replay() {
  for (Shared& shared : shared_) {
    if (MissReplay* const replay = shared.policy->miss_replay(); replay != nullptr) return replay;
  }
  return nullptr;
}

std::uint64_t SmPolicies::update(std::uint64_t cycle) {
  std::uint64_t next = SharedPolicy::kNever;
  for (Shared& shared : shared_) next = std::min(next, shared.policy->update(cycle));
  return next;
}

void SmPolicies::settle(std::uint64_t cycle) {
  for (Shared& shared : shared_) shared.policy->settle(cycle);
}

void SmPolicies::report(StatSink& sink) const {
  for (const Shared& shared : shared_) {
    StatScope scope(sink, shared.entry->name);
    shared.policy->report(sink);
  }
}

void SmPolicies::trace(WaveSink& sink) {
  for (Shared& shared : shared_) {
    WaveScope scope(sink, shared.entry->name);
    shared.policy->trace(sink);
  }
}

void SmPolicies::report_facets(unsigned scheduler, StatSink& sink) const {
  const PolicyPair& pair = pairs_[scheduler];
  {
    StatScope scope(sink, names_.qualifier->name);
    pair.qualifier->report(sink);
  }
  StatScope scope(sink, names_.prioritizer->name);
  pair.prioritizer->report(sink);
}

void SmPolicies::trace_facets(unsigned scheduler, WaveSink& sink) {
  PolicyPair& pair = pairs_[scheduler];
  {
    WaveScope scope(sink, names_.qualifier->name);
    pair.qualifier->trace(sink);
  }
  WaveScope scope(sink, names_.prioritizer->name);
  pair.prioritizer->trace(sink);
}

}  // namespace heddle
