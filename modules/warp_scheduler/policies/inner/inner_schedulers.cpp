#include "modules/warp_scheduler/policies/inner/inner_schedulers.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "hw/pricing/gates.h"
#include "modules/config/setting_error.h"

namespace heddle {

namespace {

std::unique_ptr<GpuConfig> scheduled_by(const GpuConfig& gpu, const InnerSchedulers::Side& side) {
  PolicyNames names;
  try {
    names = find_policies(side.scheduler);
  } catch (const std::invalid_argument& error) {
    throw SettingError(side.key, error.what());
  }
  if (names.prioritizer->chooses_schedulers) {
    throw SettingError(
        side.key, fmt::format("expected a scheduler that does not choose between others itself, found '{}'",
                              side.scheduler));
  }
  auto config = std::make_unique<GpuConfig>(gpu);
  config->scheduler.name = side.scheduler;
  config->scheduler.choice_cycles = 1;  // it is the whole choice that is cut into stages
  return config;
}

/// A scope of a StatSink or WaveSink; none when it has no name.
template <class Sink>
class SideScope {
 public:
  SideScope(Sink& sink, const std::string& name) : sink_(name.empty() ? nullptr : &sink) {
    if (sink_ != nullptr) sink_->enter(name);
  }
  ~SideScope() {
    if (sink_ != nullptr) sink_->leave();
  }
  SideScope(const SideScope&) = delete;
  SideScope& operator=(const SideScope&) = delete;

 private:
  Sink* sink_;
};

}  // namespace

/// The re-execution queue of one side: it stays beside the L1D, but says whose loads may miss only where its
/// side does.
class InnerSchedulers::Replay final : public MissReplay {
 public:
  Replay(const InnerSchedulers& outer, unsigned side, MissReplay& inner)
      : outer_(outer), side_(side), inner_(inner) {}
  bool may_miss(unsigned warp) const override {
    return !outer_.rules_misses(side_, warp) || inner_.may_miss(warp);
  }
  bool can_take(const MemoryRequest& request) const override { return inner_.can_take(request); }
  void push(tlm::tlm_generic_payload& payload, Cycle cycle) override { inner_.push(payload, cycle); }
  bool empty() const override { return inner_.empty(); }
  tlm::tlm_generic_payload& front() override { return inner_.front(); }
  void pop(Cycle cycle) override { inner_.pop(cycle); }
  bool one_push_a_cycle() const override { return inner_.one_push_a_cycle(); }
  void rotate(Cycle cycle, bool looked_up) override { inner_.rotate(cycle, looked_up); }
  void rotate_each(Cycle first, Cycle last) override { inner_.rotate_each(first, last); }

 private:
  const InnerSchedulers& outer_;
  unsigned side_;
  MissReplay& inner_;
};

InnerSchedulers::~InnerSchedulers() = default;

InnerSchedulers::InnerSchedulers(const SmContext& context, const std::string& owner,
                                 const std::vector<Side>& sides) {
  for (const Side& side : sides) {
    configs_.push_back(scheduled_by(context.gpu, side));
    schedulers_.push_back(std::make_unique<SmPolicies>(
        SmContext{context.table, *configs_.back(), context.sm, context.host, nullptr,
                  context.hardware.child(owner).child(side.name), side.share}));
    if (schedulers_.back()->any_shared()) sharing_.push_back(schedulers_.back().get());
    scopes_.push_back(side.scope);
    MissReplay* const queue = schedulers_.back()->miss_replay();
    if (queue == nullptr) continue;
    if (replay_) {
      throw SettingError(
          side.key,
          fmt::format("expected a scheduler without a re-execution queue, found '{}'", side.scheduler));
    }
    replay_ = std::make_unique<Replay>(*this, this->sides() - 1, *queue);
  }
}

std::vector<SmPolicies*> InnerSchedulers::inside() {
  std::vector<SmPolicies*> inside;
  for (const auto& scheduler : schedulers_) inside.push_back(scheduler.get());
  return inside;
}

std::uint64_t InnerSchedulers::update(std::uint64_t cycle) {
  std::uint64_t next = kNever;
  for (SmPolicies* const scheduler : sharing_) next = std::min(next, scheduler->update(cycle));
  return next;
}

void InnerSchedulers::settle(std::uint64_t cycle) {
  for (const auto& scheduler : schedulers_) scheduler->settle(cycle);
}

std::uint64_t InnerSchedulers::show(std::uint64_t cycle) {
  std::uint64_t next = kNever;
  for (const auto& scheduler : schedulers_) next = std::min(next, scheduler->show(cycle));
  return next;
}

void InnerSchedulers::report(StatSink& sink) const {
  for (unsigned s = 0; s < schedulers_.size(); ++s) {
    const SideScope<StatSink> scope(sink, scopes_[s]);
    schedulers_[s]->report(sink);
  }
}

void InnerSchedulers::trace(WaveSink& sink) {
  for (unsigned s = 0; s < schedulers_.size(); ++s) {
    const SideScope<WaveSink> scope(sink, scopes_[s]);
    schedulers_[s]->trace(sink);
  }
}

void InnerSchedulers::trace_state(WaveSink& sink) {
  for (unsigned s = 0; s < schedulers_.size(); ++s) {
    const SideScope<WaveSink> scope(sink, scopes_[s]);
    schedulers_[s]->trace_state(sink);
  }
}

InnerFacet::InnerFacet(const PolicyContext& context, InnerSchedulers& inner)
    : table_(context.table), scheduler_(context.scheduler), inner_(inner) {
  for (unsigned s = 0; s < inner.sides(); ++s) {
    const PolicyPair& pair = inner.side(s).of_scheduler(context.scheduler);
    sides_.push_back({inner.side(s).qualifies() ? pair.qualifier.get() : nullptr, pair.prioritizer.get()});
  }
  offers_.resize(sides_.size());
}

void InnerFacet::on_start(unsigned warp) {
  for (unsigned s = 0; s < sides_.size(); ++s) {
    if (!has(s, warp)) continue;
    if (sides_[s].qualifier != nullptr) sides_[s].qualifier->on_start(warp);
    sides_[s].prioritizer->on_start(warp);
  }
}

void InnerFacet::on_finish(unsigned warp) {
  for (unsigned s = 0; s < sides_.size(); ++s) {
    if (!has(s, warp)) continue;
    if (sides_[s].qualifier != nullptr) sides_[s].qualifier->on_finish(warp);
    sides_[s].prioritizer->on_finish(warp);
  }
}

void InnerFacet::on_issue(const IssueEvent& event) {
  for (unsigned s = 0; s < sides_.size(); ++s) {
    if (sides_[s].qualifier != nullptr && has(s, event.warp)) sides_[s].qualifier->on_issue(event);
    if (orders(s, event.warp)) sides_[s].prioritizer->on_issue(event);
  }
}

void InnerFacet::tell_all_sides(const IssueEvent& event) {
  for (const Facets& side : sides_) {
    if (side.qualifier != nullptr) side.qualifier->on_issue(event);
    side.prioritizer->on_issue(event);
  }
}

std::uint64_t InnerFacet::update(std::uint64_t cycle) {
  std::uint64_t next = kNever;
  for (Facets& side : sides_) {
    if (side.qualifier != nullptr) {
      side.qualifier_next = side.qualifier->update(cycle);
      next = std::min(next, side.qualifier_next);
    }
    side.prioritizer_next = side.prioritizer->update(cycle);
    next = std::min(next, side.prioritizer_next);
  }
  return next;
}

std::uint64_t InnerFacet::rest(std::uint64_t cycle, WarpMask issuable, std::uint64_t /*next*/) {
  std::uint64_t next = kNever;
  for (const Facets& side : sides_) {
    const std::uint64_t own = side.prioritizer_next;
    const std::uint64_t rested = own == cycle + 1 ? side.prioritizer->rest(cycle, issuable, own) : own;
    next = std::min({next, side.qualifier_next, rested});
  }
  return next;
}

unsigned InnerFacet::choose(std::uint64_t cycle, unsigned side, WarpMask issuable) {
  // A warp with a stale I-buffer has no instruction to be qualified: the scheduler only comes to it.
  const WarpMask stale = issuable & table_.stale;
  const WarpMask valid = issuable & ~stale;
  const WarpMask candidates = (admitted_at_ == cycle ? valid : admit(cycle, side, valid)) | stale;
  return candidates == 0 ? kNoWarp : sides_[side].prioritizer->select(cycle, candidates);
}

WarpMask InnerFacet::admit(std::uint64_t cycle, unsigned side, WarpMask valid) {
  Qualifier* const qualifier = sides_[side].qualifier;
  const WarpMask qualified = qualifier == nullptr || valid == 0 ? valid : qualifier->qualify(cycle, valid);
  offers_[side] = {cycle, qualified != 0, valid & ~qualified, valid};
  return qualified;
}

WarpMask InnerFacet::barred(std::uint64_t cycle, WarpMask issuable) const {
  WarpMask barred = 0;
  for (unsigned s = 0; s < sides_.size(); ++s) {
    const Offer& offer = offers_[s];
    if (offer.cycle == cycle) barred |= offer.held | (offer.offered & ~sides_[s].prioritizer->active());
  }
  return barred & issuable;
}

hw::TimingPath InnerFacet::choice_path() const {
  hw::TimingPath longest;
  for (const Facets& side : sides_) {
    const hw::TimingPath qualify =
        side.qualifier == nullptr ? hw::TimingPath() : side.qualifier->qualify_path();
    longest = hw::TimingPath::longer(longest, hw::TimingPath(qualify).then(side.prioritizer->choice_path()));
  }
  return longest.through("which side", hw::gates::enable_fo4());
}

bool InnerFacet::pass_over(std::uint64_t cycle, WarpMask held) {
  bool wants_others = false;
  for (unsigned s = 0; s < sides_.size(); ++s) {
    const Offer& offer = offers_[s];
    if (offer.cycle != cycle || !offer.qualified) continue;
    wants_others |= sides_[s].prioritizer->pass_over(cycle, held | offer.held);
  }
  return wants_others;
}

void InnerFacet::report(StatSink& sink) const {
  for (unsigned s = 0; s < sides_.size(); ++s) {
    const SideScope<StatSink> scope(sink, inner_.scope_of(s));
    inner_.side(s).report_facets(scheduler_, sink);
  }
}

void InnerFacet::trace(WaveSink& sink) {
  for (unsigned s = 0; s < sides_.size(); ++s) {
    const SideScope<WaveSink> scope(sink, inner_.scope_of(s));
    inner_.side(s).trace_facets(scheduler_, sink);
  }
}

void InnerFacet::trace_state(WaveSink& sink) {
  for (unsigned s = 0; s < sides_.size(); ++s) {
    const SideScope<WaveSink> scope(sink, inner_.scope_of(s));
    inner_.side(s).trace_state_of_facets(scheduler_, sink);
  }
}

}  // namespace heddle
