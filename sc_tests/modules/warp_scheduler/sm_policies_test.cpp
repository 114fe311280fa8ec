#include "modules/warp_scheduler/sm_policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/pricing/inventory.h"
#include "modules/warp_scheduler/policies/ipaws/paired_policies.h"
#include "sc_tests/support/probe_policy.h"

namespace heddle {
namespace {

using testing::kProbePrioritizer;
using testing::kProbeQualifier;
using testing::ProbePolicy;
using testing::ProbePrioritizer;
using testing::ProbeQualifier;

const SharedPolicyEntry kOtherShared = shared_policy<ProbePolicy>("other");
const PrioritizerEntry kOther{"other", "test",
                              [](const PolicyContext& context) -> std::unique_ptr<Prioritizer> {
                                return std::make_unique<ProbePrioritizer>(context);
                              },
                              &kOtherShared};

class SmPoliciesTest : public ::testing::Test {
 protected:
  SmPoliciesTest() {
    testing::register_probe();
    static const bool kAdded = (add_policy(kOther), true);
    static_cast<void>(kAdded);
  }
  SmPolicies make(const std::string& name) {
    config_.scheduler.name = name;
    return SmPolicies({table_, config_});
  }
  static ProbePolicy* of(const Qualifier& qualifier) {
    return &dynamic_cast<const ProbeQualifier&>(qualifier).record;
  }
  static ProbePolicy* of(const Prioritizer& prioritizer) {
    return &dynamic_cast<const ProbePrioritizer&>(prioritizer).record;
  }

  WarpTable table_;
  GpuConfig config_;
};

TEST_F(SmPoliciesTest, AnEntryThatMakesNothingIsNamed) {
  static const PrioritizerEntry kNothing{
      "nothing", "test", [](const PolicyContext&) -> std::unique_ptr<Prioritizer> { return nullptr; }};
  const PolicyRegistration registration(kNothing);
  EXPECT_THAT([this] { make("nothing"); }, ::testing::ThrowsMessage<std::logic_error>(
                                               "the entry of warp scheduler 'nothing' has made no policy"));
}

TEST_F(SmPoliciesTest, SchedulersAndBothHalvesOfAPolicyShareOneObject) {
  const SmPolicies policies = make("probe");
  ProbePolicy* const shared = of(*policies.of_scheduler(0).qualifier);
  EXPECT_EQ(of(*policies.of_scheduler(1).qualifier), shared);
  EXPECT_EQ(of(*policies.of_scheduler(0).prioritizer), shared);
  EXPECT_EQ(of(*policies.of_scheduler(1).prioritizer), shared);
}

TEST_F(SmPoliciesTest, HalvesOfDifferentPoliciesHaveTheirOwn) {
  const SmPolicies policies = make("probe+other");
  EXPECT_NE(of(*policies.of_scheduler(0).qualifier), of(*policies.of_scheduler(0).prioritizer));
  EXPECT_EQ(of(*policies.of_scheduler(0).prioritizer), of(*policies.of_scheduler(1).prioritizer));
}

TEST_F(SmPoliciesTest, APolicyThatIsBothTakesTheRoleThatTheOtherLeaves) {
  EXPECT_EQ(find_policies("probe+gto").qualifier, &kProbeQualifier);
  EXPECT_EQ(find_policies("gto+probe").qualifier, &kProbeQualifier);
  EXPECT_EQ(find_policies("none+probe").prioritizer, &kProbePrioritizer);
  EXPECT_EQ(find_policies("probe+none").prioritizer, &kProbePrioritizer);
}

TEST_F(SmPoliciesTest, PoliciesWithoutSharedStateWantNothing) {
  const SmPolicies policies = make("gto");
  EXPECT_FALSE(policies.any_shared());
  EXPECT_EQ(policies.heard(), 0U);
}

TEST_F(SmPoliciesTest, EventsGoToThoseThatWantThem) {
  testing::kProbeShared.hears = event::Issue::kBit;
  SmPolicies policies = make("probe");
  testing::kProbeShared.hears = testing::kProbeHears;
  ProbePolicy& shared = *of(*policies.of_scheduler(0).qualifier);
  policies.tell<event::Issue>(IssueEvent{});
  policies.tell<event::TbStart>(TbEvent{});
  EXPECT_EQ(shared.issues.size(), 1U);
  EXPECT_TRUE(shared.tb_starts.empty());
}

TEST_F(SmPoliciesTest, AWatcherThatCallsForNoRunCausesNone) {
  class Watcher final : public SharedPolicy {
   public:
    explicit Watcher(bool calls) : calls_(calls) {}
    bool calls_for_run() override { return calls_; }

   private:
    bool calls_;
  };
  SmPolicies policies = make("gto");
  Watcher quiet(false);
  policies.watch(quiet, event::MshrRoom::kBit);
  EXPECT_FALSE(policies.call_for_run());
  Watcher calling(true);
  policies.watch(calling, event::MshrRoom::kBit);
  EXPECT_TRUE(policies.call_for_run());
}

/// Overrides two handlers ...
class TwoHandlers : public SharedPolicy {
 public:
  void on_tb_end(const TbEvent& /*event*/) override { ++heard; }
  void on_l2_reply(const L2Reply& /*event*/) override { ++heard; }
  unsigned heard = 0;
};
/// ... and one more, and one again.
class ThreeHandlers final : public TwoHandlers {
 public:
  void on_stall(const StallEvent& /*event*/) override {}
  void on_tb_end(const TbEvent& /*event*/) override {}
};

TEST_F(SmPoliciesTest, WhatIsHeardFollowsFromWhatIsOverridden) {
  EXPECT_EQ(events_heard_by<SharedPolicy>(), 0U);
  EXPECT_EQ(events_heard_by<TwoHandlers>(), event::TbEnd::kBit | event::L2Reply::kBit);
  EXPECT_EQ(events_heard_by<ThreeHandlers>(), events_heard_by<TwoHandlers>() | event::Stall::kBit);
  EXPECT_EQ(shared_policy<ThreeHandlers>("three").hears, events_heard_by<ThreeHandlers>());
  unsigned kinds = 0;
  for (EventSet left = events_heard_by<ProbePolicy>(); left != 0; left &= left - 1) ++kinds;
  EXPECT_EQ(kinds, static_cast<unsigned>(event::Number::kCount));
}

/// Chooses between two schedulers, and has no parts of its own.
class Pair final : public PairedPolicies {
 public:
  explicit Pair(const SmContext& context) : PairedPolicies(context, "pair", "probe+gto", "lrr") {}
  void on_issue(const IssueEvent& /*event*/) override {
    issues_inside = ProbePolicy::of_sm[0]->issues.size();
  }
  std::size_t issues_inside = 0;  ///< that the policy inside had heard of at the last issue

 private:
  bool greedy_chosen() const override { return true; }
};
class PairPrioritizer final : public InnerFacet {
 public:
  explicit PairPrioritizer(const PolicyContext& context)
      : InnerFacet(context, context.shared_as<Pair>()), pair(context.shared_as<Pair>()) {}
  unsigned select(std::uint64_t cycle, WarpMask issuable) override {
    return choose(cycle, PairedPolicies::kGreedy, issuable);
  }
  Pair& pair;
};
constexpr SharedPolicyEntry kPairShared = shared_policy<Pair>("pair");
const PrioritizerEntry kPair{"pair", "test",
                             [](const PolicyContext& context) -> std::unique_ptr<Prioritizer> {
                               return std::make_unique<PairPrioritizer>(context);
                             },
                             &kPairShared};

class PairTest : public SmPoliciesTest {
 protected:
  PairTest() {
    static const bool kAdded = (add_policy(kPair), true);
    static_cast<void>(kAdded);
  }
};

TEST_F(PairTest, SchedulersInsideAPolicyHearWhatTheyHearAloneAndBeforeIt) {
  SmPolicies policies = make("pair");
  const Pair& pair = dynamic_cast<PairPrioritizer&>(*policies.of_scheduler(0).prioritizer).pair;
  EXPECT_EQ(kPairShared.hears, event::Issue::kBit);
  EXPECT_EQ(policies.heard(), testing::kProbeHears);
  EXPECT_TRUE(policies.read_line_warps());
  policies.tell<event::Issue>(IssueEvent{});
  EXPECT_EQ(pair.issues_inside, 1U);
  policies.tell<event::MshrRoom>({7, 3, 2});
  ASSERT_EQ(ProbePolicy::of_sm[0]->rooms.size(), 1U);
  EXPECT_EQ(ProbePolicy::of_sm[0]->rooms[0].second.free_entries, 3U);
}

// The qualifier inside has no parts, and the pair none but those of gto and lrr, which are not its own.
TEST_F(PairTest, PartsOfSchedulersInsideAPolicyDoNotPriceIt) {
  hw::Inventory inventory;
  hw::Owner owner;
  owner.inventory = &inventory;
  config_.scheduler.name = "pair";
  const SmPolicies policies({table_, config_, 0, nullptr, nullptr, owner});
  EXPECT_FALSE(inventory.parts().empty());
  EXPECT_THAT(policies.unpriced(), ::testing::UnorderedElementsAre("pair", "probe"));
}

TEST_F(SmPoliciesTest, NotesGoToThePolicyOfTheirKind) {
  SmPolicies policies = make("probe+other");
  policies.tell_note({&kOtherShared, 0, 1, 2, 3});
  EXPECT_TRUE(of(*policies.of_scheduler(0).qualifier)->notes.empty());
  EXPECT_EQ(of(*policies.of_scheduler(0).prioritizer)->notes.size(), 1U);
}

}  // namespace
}  // namespace heddle
