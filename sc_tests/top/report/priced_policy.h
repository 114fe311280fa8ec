// A prioritizer that is built of priced parts, for tests of what is printed about them: "priced".
#pragma once

#include <memory>

#include "hw/parts/counter_array.h"
#include "hw/parts/register.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle::testing {

/// Counts the issues of each warp of the SM; 48 counters of 16 bits, as the "paper" counts them.
class PricedPolicy final : public SharedPolicy {
 public:
  explicit PricedPolicy(const SmContext& context)
      : issues(context.hardware.child("priced"), "warp_issues", shape(), hw::PaperCount::kBits) {}

  EventMask wanted_events() const override { return wants::kIssue; }
  void on_issue(const IssueEvent& event) override { issues.add(event.cycle, event.warp, 1); }

  hw::CounterArray issues;

 private:
  static hw::CounterArrayShape shape() {
    hw::CounterArrayShape shape;
    shape.bits = 16;
    shape.adders = 2;
    return shape;
  }
};

/// The lowest ready warp; remembers it in a register.
class PricedPrioritizer final : public Prioritizer {
 public:
  explicit PricedPrioritizer(const PolicyContext& context)
      : last_(context.hardware.child("scheduler" + std::to_string(context.scheduler)).child("priced"), "last",
              {6, hw::Overflow::kWrap, 0}) {}

  unsigned select(WarpMask issuable) override { return static_cast<unsigned>(__builtin_ctzll(issuable)); }

 private:
  hw::Register last_;
};

inline const SharedPolicyEntry kPricedShared{
    "priced", [](const SmContext& context, const PolicyChannel&) -> std::unique_ptr<SharedPolicy> {
      return std::make_unique<PricedPolicy>(context);
    }};
inline const PrioritizerEntry kPriced{"priced", "test",
                                      [](const PolicyContext& context) -> std::unique_ptr<Prioritizer> {
                                        return std::make_unique<PricedPrioritizer>(context);
                                      },
                                      &kPricedShared};

/// A prioritizer without parts: "bare".
class Bare final : public Prioritizer {
 public:
  unsigned select(WarpMask issuable) override { return lowest_warp(issuable); }
};

inline const PrioritizerEntry kBare{"bare", "for tests: no parts",
                                    [](const PolicyContext& /*context*/) -> std::unique_ptr<Prioritizer> {
                                      return std::make_unique<Bare>();
                                    }};

inline void register_bare() {
  static const bool kAdded = (add_policy(kBare), true);
  static_cast<void>(kAdded);
}

inline void register_priced() {
  static const bool kAdded = (add_policy(kPriced), true);
  static_cast<void>(kAdded);
}

}  // namespace heddle::testing
