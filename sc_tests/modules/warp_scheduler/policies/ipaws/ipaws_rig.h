#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hw/pricing/inventory.h"
#include "modules/warp_scheduler/policies/ipaws/ipaws.h"

namespace heddle::testing {

inline const PrioritizerEntry& ipaws_entry() {
  for (const PrioritizerEntry* entry : prioritizers()) {
    if (std::string(entry->name) == "ipaws") return *entry;
  }
  throw std::logic_error("no policy 'ipaws'");
}

/// iPAWS on one SM without a simulation: the test says what happens. A cycle is begin(cycle), then events.
class IpawsSm {
 public:
  IpawsSm(const GpuConfig& config, PolicyBoard& board, unsigned sm, bool strict = false)
      : config_(config), board_(board), sm_(sm) {
    hw::Owner owner;
    owner.inventory = &inventory;
    owner.path = "sm" + std::to_string(sm);
    owner.timing = config.scheduler.timing;
    owner.strict = strict;
    const SmContext context{table, config_, sm, nullptr, &board, owner};
    policy = std::make_unique<Ipaws>(context, PolicyChannel{&board, ipaws_entry().shared, sm});
    for (unsigned s = 0; s < config.core.schedulers; ++s) {
      facets.push_back(ipaws_entry().create({context, s, policy.get()}));
    }
    board.attach(sm, reader_);
  }

  /// Start of a cycle in which the schedulers run.
  void begin(std::uint64_t now) {
    cycle = now;
    std::vector<PolicyNote> notes;
    board_.read(sm_, now, notes);
    for (const PolicyNote& note : notes) policy->on_note(note);
    next_update = policy->update(now);
    policy->update(now);  // a second call changes nothing
    for (const auto& facet : facets) facet->update(now);
  }

  void start_tb(unsigned slot, std::uint64_t launch, const std::vector<unsigned>& warps) {
    WarpMask mask = 0;
    for (const unsigned w : warps) mask |= warp_bit(w);
    tell<event::TbStart>({slot, slot, launch, mask, cycle});
    unsigned in_tb = 0;
    for (const unsigned w : warps) {
      table.resident |= warp_bit(w);
      table.finished &= ~warp_bit(w);
      table.age[w] = next_age_++;
      table.tb_slot[w] = static_cast<std::uint16_t>(slot);
      tell<event::WarpStart>({w, slot, slot, in_tb++, cycle, launch});
      facet_of(w).on_start(w);
    }
  }
  void issue(unsigned warp) {
    const IssueEvent event{warp, &instruction, kAllLanes, cycle};
    tell<event::Issue>(event);
    facet_of(warp).on_issue(event);
  }
  void issue_n(unsigned warp, unsigned n) {
    for (unsigned i = 0; i < n; ++i) issue(warp);
  }
  void finish(unsigned warp) {
    issue(warp);
    table.finished |= warp_bit(warp);
    tell<event::WarpFinish>({warp, table.tb_slot[warp], 0, 0, cycle});
    facet_of(warp).on_finish(warp);
  }
  void retire_tb(unsigned slot, const std::vector<unsigned>& warps) {
    for (const unsigned w : warps) {
      table.resident &= ~warp_bit(w);
      tell<event::WarpRetire>({w, slot, slot, 0, cycle});
    }
    tell<event::TbEnd>({slot, slot, 0, 0, cycle});
  }
  void arrive(unsigned warp) {
    issue(warp);
    table.at_barrier |= warp_bit(warp);
    tell<event::BarrierArrive>({table.tb_slot[warp], 0, warp_bit(warp), cycle});
  }
  void release(WarpMask warps) {
    table.at_barrier &= ~warps;
    tell<event::BarrierRelease>({0, 0, warps, cycle});
  }
  void stall(unsigned scheduler, WarpMask valid, WarpMask passed, std::uint64_t cycles = 1) {
    tell<event::Stall>({scheduler, valid, passed, cycle, cycles});
  }
  unsigned select(WarpMask issuable, unsigned scheduler = 0) {
    return facets[scheduler]->select(cycle, issuable);
  }
  IpawsPhase phase() const { return policy->phase(); }
  Prioritizer& facet_of(unsigned warp) { return *facets[warp % facets.size()]; }

  hw::Inventory inventory;
  WarpTable table;
  std::unique_ptr<Ipaws> policy;
  std::vector<std::unique_ptr<Prioritizer>> facets;
  Instruction instruction;
  std::uint64_t cycle = 0;
  std::uint64_t next_update = 0;

 private:
  /// As SmPolicies does.
  template <class Kind>
  void tell(const typename Kind::Type& event) {
    for (SmPolicies* inside : policy->inside()) inside->tell<Kind>(event);
    (policy.get()->*Kind::kHandler)(event);
  }

  struct Reader : PolicyBoard::Reader {
    void notes_posted() override {}
  };

  GpuConfig config_;
  PolicyBoard& board_;
  Reader reader_;
  unsigned sm_;
  std::uint64_t next_age_ = 0;
};

}  // namespace heddle::testing
