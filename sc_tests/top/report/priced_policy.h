// A prioritizer that is built of priced parts, for tests of what is printed about them: "priced".
#pragma once

#include <memory>

#include "hw/storage/counter_array.h"
#include "hw/storage/register.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle::testing {

/// Counts the issues of each warp of the SM; 48 counters of 16 bits, as the "paper" counts them.
class PricedPolicy final : public SharedPolicy {
 public:
  explicit PricedPolicy(const SmContext& context)
      : issues(context.hardware.child("priced"), "warp_issues", shape(), hw::PaperCount::kBits) {}

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

  unsigned select(std::uint64_t /*cycle*/, WarpMask issuable) override {
    return static_cast<unsigned>(__builtin_ctzll(issuable));
  }

 private:
  hw::Register last_;
};

inline const SharedPolicyEntry kPricedShared = shared_policy<PricedPolicy>("priced");
inline const PrioritizerEntry kPriced{"priced", "test",
                                      [](const PolicyContext& context) -> std::unique_ptr<Prioritizer> {
                                        return std::make_unique<PricedPrioritizer>(context);
                                      },
                                      &kPricedShared};

/// A prioritizer without parts: "bare".
class Bare final : public Prioritizer {
 public:
  unsigned select(std::uint64_t /*cycle*/, WarpMask issuable) override { return lowest_warp(issuable); }
};

inline const PrioritizerEntry kBare{"bare", "for tests: no parts",
                                    [](const PolicyContext& /*context*/) -> std::unique_ptr<Prioritizer> {
                                      return std::make_unique<Bare>();
                                    }};

/// The same, and says that it needs no hardware: "free".
inline const PrioritizerEntry kFree{
    "free", "for tests: needs no parts", kBare.create, nullptr, nullptr, Hardware::kNone};

/// A qualifier without parts: "bare_qualifier".
class BareQualifier final : public Qualifier {
 public:
  WarpMask qualify(std::uint64_t /*cycle*/, WarpMask issuable) override { return issuable; }
};

inline const QualifierEntry kBareQualifier{
    "bare_qualifier", "for tests: no parts",
    [](const PolicyContext& /*context*/) -> std::unique_ptr<Qualifier> {
      return std::make_unique<BareQualifier>();
    }};

inline void register_bare() {
  static const bool kAdded = (add_policy(kBare), add_policy(kFree), add_policy(kBareQualifier), true);
  static_cast<void>(kAdded);
}

inline void register_priced() {
  static const bool kAdded = (add_policy(kPriced), true);
  static_cast<void>(kAdded);
}

}  // namespace heddle::testing
