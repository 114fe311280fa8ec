#include "modules/warp_scheduler/sm_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "hw/pricing/inventory.h"

namespace heddle {

namespace {

std::size_t parts_of(const SmContext& context) {
  return context.hardware.inventory == nullptr ? 0 : context.hardware.inventory->parts().size();
}

}  // namespace

SmPolicies::SmPolicies(const SmContext& context) : names_(find_policies(context.gpu.scheduler.name)) {
  for (const PolicyParameters* parameters : {names_.qualifier->parameters, names_.prioritizer->parameters}) {
    if (parameters != nullptr) parameters->check(context.gpu.scheduler.settings);
  }
  const std::size_t parts_before = parts_of(context);
  pairs_.resize(context.gpu.core.schedulers);
  shared_.reserve(2);
  const Shared* const for_qualifier = share(names_.qualifier->shared, context);
  const Shared* const for_prioritizer = share(names_.prioritizer->shared, context);
  const bool one = shared_.size() == 1 && listeners_.size() == 1;
  if (one && listeners_.front().policy == shared_.front().policy.get()) {
    // One that does not wait for that everything is as it was waits for nothing, and is not asked each time.
    const MshrConfig& mshr = context.gpu.l1d.mshr;
    SharedPolicy* const policy = listeners_.front().policy;
    if (policy->can_wait(MshrRoom{0, mshr.entries, mshr.miss_queue})) alone_ = policy;
  }
  create_facets(*names_.qualifier, for_qualifier, context, &PolicyPair::qualifier);
  create_facets(*names_.prioritizer, for_prioritizer, context, &PolicyPair::prioritizer);
  make_choices(context);
  num_parts_ = parts_of(context) - parts_before;
}

/// What the two halves of one policy share is in their paths once: in the prioritizer's.
void SmPolicies::make_choices(const SmContext& context) {
  const bool one_policy =
      names_.qualifier->shared != nullptr && names_.qualifier->shared == names_.prioritizer->shared;
  const PolicyPair& pair = pairs_.front();
  const hw::TimingPath path = one_policy
                                  ? pair.prioritizer->choice_path()
                                  : pair.qualifier->qualify_path().then(pair.prioritizer->choice_path());
  const hw::Owner owner = context.hardware.child("choice");
  if (!path.empty()) owner.declare_path("from ready to chosen", path);
  if (context.hardware.timing != hw::Timing::kHardware) return;
  const unsigned configured = context.gpu.scheduler.choice_cycles;
  const unsigned cycles = configured != 0 ? configured : context.hardware.cycles(path);
  if (cycles < 2) return;
  for (unsigned s = 0; s < pairs_.size(); ++s) {
    const PolicyContext own{context, s};
    choices_.push_back(std::make_unique<ChoicePipeline>(owner, s, own.supervised(), cycles));
  }
}

const SmPolicies::Shared* SmPolicies::share(const SharedPolicyEntry* entry, const SmContext& context) {
  if (entry == nullptr) return nullptr;
  for (const Shared& shared : shared_) {
    if (shared.entry == entry) return &shared;
  }
  const std::size_t parts_before = parts_of(context);
  std::unique_ptr<SharedPolicy> policy = entry->create(context, {context.board, entry, context.sm});
  std::size_t own_parts = parts_of(context) - parts_before;
  for (const SmPolicies* inside : policy->inside()) {
    own_parts -= inside->num_parts();
    for (const std::string& name : inside->unpriced()) add_unpriced(name);
    listeners_.insert(listeners_.end(), inside->listeners_.begin(), inside->listeners_.end());
    heard_ |= inside->heard_;
    read_line_warps_ |= inside->read_line_warps_;
  }
  if (entry->hears != 0) listeners_.push_back({policy.get(), entry->hears});
  heard_ |= entry->hears;
  read_line_warps_ |= entry->reads_line_warps;
  shared_.push_back({entry, std::move(policy), own_parts != 0});
  return &shared_.back();
}

/// The schedulers' objects of a qualifier or prioritizer.
template <class Entry, class Facet>
void SmPolicies::create_facets(const Entry& entry, const Shared* shared, const SmContext& context,
                               std::unique_ptr<Facet> PolicyPair::*facet) {
  const std::size_t parts_before = parts_of(context);
  for (unsigned s = 0; s < pairs_.size(); ++s) {
    pairs_[s].*facet = entry.create({context, s, shared == nullptr ? nullptr : shared->policy.get()});
    if (pairs_[s].*facet == nullptr) {
      throw std::logic_error(fmt::format("the entry of warp scheduler '{}' has made no policy", entry.name));
    }
  }
  const bool has_parts = parts_of(context) != parts_before || (shared != nullptr && shared->has_parts);
  if (!has_parts && entry.hardware != Hardware::kNone) add_unpriced(entry.name);
}

void SmPolicies::add_unpriced(const std::string& name) {
  if (std::find(unpriced_.begin(), unpriced_.end(), name) == unpriced_.end()) unpriced_.push_back(name);
}

const SharedPolicy* SmPolicies::of_qualifier() const {
  for (const Shared& shared : shared_) {
    if (shared.entry == names_.qualifier->shared) return shared.policy.get();
  }
  return nullptr;
}

void SmPolicies::watch(SharedPolicy& watcher, EventSet kinds) {
  watchers_.push_back(&watcher);
  alone_ = nullptr;
  listeners_.insert(listeners_.begin(), {&watcher, kinds});
  heard_ |= kinds;
}

void SmPolicies::tell_note(const PolicyNote& note) {
  for (SharedPolicy* const watcher : watchers_) watcher->on_note(note);
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

bool SmPolicies::call_for_run() {
  bool any = false;
  for (SharedPolicy* const watcher : watchers_) any |= watcher->calls_for_run();
  for (Shared& shared : shared_) any |= shared.policy->calls_for_run();
  return any;
}

std::uint64_t SmPolicies::update(std::uint64_t cycle) {
  std::uint64_t next = SharedPolicy::kNever;
  for (Shared& shared : shared_) next = std::min(next, shared.policy->update(cycle));
  return next;
}

bool SmPolicies::restless(std::uint64_t cycle) const {
  return std::any_of(shared_.begin(), shared_.end(),
                     [cycle](const Shared& shared) { return shared.policy->restless(cycle); });
}

std::uint64_t SmPolicies::show(std::uint64_t cycle) {
  std::uint64_t next = SharedPolicy::kNever;
  for (Shared& shared : shared_) next = std::min(next, shared.policy->show(cycle));
  for (PolicyPair& pair : pairs_) next = std::min(next, pair.prioritizer->show(cycle));
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

void SmPolicies::trace_state(WaveSink& sink) {
  for (Shared& shared : shared_) {
    WaveScope scope(sink, shared.entry->name);
    shared.policy->trace_state(sink);
  }
}

void SmPolicies::trace_state_of_facets(unsigned scheduler, WaveSink& sink) {
  PolicyPair& pair = pairs_[scheduler];
  {
    WaveScope scope(sink, names_.qualifier->name);
    pair.qualifier->trace_state(sink);
  }
  WaveScope scope(sink, names_.prioritizer->name);
  pair.prioritizer->trace_state(sink);
}

}  // namespace heddle
