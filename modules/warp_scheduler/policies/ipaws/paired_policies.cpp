#include "modules/warp_scheduler/policies/ipaws/paired_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "hw/pricing/gates.h"
#include "modules/config/setting_error.h"

namespace heddle {

namespace {

GpuConfig scheduled_by(const GpuConfig& gpu, const std::string& name) {
  GpuConfig config = gpu;
  config.scheduler.name = name;
  config.scheduler.choice_cycles = 1;  // it is the whole choice that is cut into stages
  return config;
}

/// The context of the `side` ("greedy") of `owner`, after a look at what the inner scheduler is called. Its
/// parts are the side's, so that both may be built of the same ones.
SmContext inner_context(const SmContext& context, const GpuConfig& config, const std::string& owner,
                        const std::string& side) {
  const std::string key = "scheduler." + owner + "." + side;
  PolicyNames names;
  try {
    names = find_policies(config.scheduler.name);
  } catch (const std::invalid_argument& error) {
    throw SettingError(key, error.what());
  }
  for (const std::string_view adaptive : {"ipaws", "adapt_local"}) {
    if (names.prioritizer->name == adaptive) {
      throw SettingError(
          key, fmt::format("expected a scheduler that does not choose between others itself, found '{}'",
                           adaptive));
    }
  }
  return {context.table, config,  context.sm,
          context.host,  nullptr, context.hardware.child(owner).child(side)};
}

}  // namespace

/// The re-execution queue of the greedy side: it stays beside the L1D, but says whose loads may miss only
/// while its side is chosen.
class PairedPolicies::Replay final : public MissReplay {
 public:
  Replay(const PairedPolicies& pair, MissReplay& inner) : pair_(pair), inner_(inner) {}
  bool may_miss(unsigned warp) const override { return !pair_.greedy_chosen() || inner_.may_miss(warp); }
  bool can_take(const MemoryRequest& request) const override { return inner_.can_take(request); }
  void push(tlm::tlm_generic_payload& payload, Cycle cycle) override { inner_.push(payload, cycle); }
  bool empty() const override { return inner_.empty(); }
  tlm::tlm_generic_payload& front() override { return inner_.front(); }
  void pop(Cycle cycle) override { inner_.pop(cycle); }
  bool one_push_a_cycle() const override { return inner_.one_push_a_cycle(); }
  void rotate(Cycle cycle, bool looked_up) override { inner_.rotate(cycle, looked_up); }

 private:
  const PairedPolicies& pair_;
  MissReplay& inner_;
};

PairedPolicies::~PairedPolicies() = default;

PairedPolicies::PairedPolicies(const SmContext& context, const std::string& owner, const std::string& greedy,
                               const std::string& fair)
    : greedy_config_(scheduled_by(context.gpu, greedy)),
      fair_config_(scheduled_by(context.gpu, fair)),
      greedy_(inner_context(context, greedy_config_, owner, "greedy")),
      fair_(inner_context(context, fair_config_, owner, "fair")) {
  if (fair_.miss_replay() != nullptr) {
    throw SettingError("scheduler." + owner + ".fair",
                       "expected a scheduler without a re-execution queue, found '" + fair + "'");
  }
  MissReplay* const inner = greedy_.miss_replay();
  if (inner != nullptr) replay_ = std::make_unique<Replay>(*this, *inner);
}

std::uint64_t PairedPolicies::update(std::uint64_t cycle) {
  return std::min(greedy_.update(cycle), fair_.update(cycle));
}

void PairedPolicies::settle(std::uint64_t cycle) {
  greedy_.settle(cycle);
  fair_.settle(cycle);
}

void PairedPolicies::report(StatSink& sink) const {
  greedy_.report(sink);
  fair_.report(sink);
}

void PairedPolicies::trace(WaveSink& sink) {
  greedy_.trace(sink);
  fair_.trace(sink);
}

void PairedFacet::on_start(unsigned warp) {
  for (PolicyPair* side : {&greedy_, &fair_}) {
    side->qualifier->on_start(warp);
    side->prioritizer->on_start(warp);
  }
}

void PairedFacet::on_finish(unsigned warp) {
  for (PolicyPair* side : {&greedy_, &fair_}) {
    side->qualifier->on_finish(warp);
    side->prioritizer->on_finish(warp);
  }
}

void PairedFacet::on_issue(const IssueEvent& event) {
  for (PolicyPair* side : {&greedy_, &fair_}) {
    side->qualifier->on_issue(event);
    side->prioritizer->on_issue(event);
  }
}

std::uint64_t PairedFacet::update(std::uint64_t cycle) {
  std::uint64_t next = kNever;
  for (PolicyPair* side : {&greedy_, &fair_}) {
    next = std::min({next, side->qualifier->update(cycle), side->prioritizer->update(cycle)});
  }
  return next;
}

unsigned PairedFacet::choose(std::uint64_t cycle, PolicyPair& policies, WarpMask issuable) {
  // A warp with a stale I-buffer has no instruction to be qualified: the scheduler only comes to it.
  const WarpMask stale = issuable & table_.stale;
  const WarpMask valid = issuable & ~stale;
  const WarpMask qualified = valid == 0 ? 0 : policies.qualifier->qualify(cycle, valid);
  const WarpMask candidates = qualified | stale;
  held_ = valid & ~qualified;
  chosen_ = qualified == 0 ? nullptr : policies.prioritizer.get();
  return candidates == 0 ? kNoWarp : policies.prioritizer->select(cycle, candidates);
}

hw::TimingPath PairedFacet::choice_path() const {
  const auto side = [](const PolicyPair& policies) {
    return policies.qualifier->qualify_path().then(policies.prioritizer->choice_path());
  };
  return hw::TimingPath(hw::TimingPath::longer(side(greedy_), side(fair_)))
      .through("which side", hw::gates::enable_fo4());
}

bool PairedFacet::pass_over(std::uint64_t cycle, WarpMask held) {
  return chosen_ != nullptr && chosen_->pass_over(cycle, held | held_);
}

void PairedFacet::report(StatSink& sink) const {
  pair_.greedy().report_facets(scheduler_, sink);
  pair_.fair().report_facets(scheduler_, sink);
}

void PairedFacet::trace(WaveSink& sink) {
  pair_.greedy().trace_facets(scheduler_, sink);
  pair_.fair().trace_facets(scheduler_, sink);
}

}  // namespace heddle
