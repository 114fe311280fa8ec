// What must hold under every qualifier with every prioritizer, on random kernels in a whole SM.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <vector>

#include "modules/warp_scheduler/policies/ccws/parameters.h"
#include "modules/warp_scheduler/policies/two_level/parameters.h"
#include "sc_tests/modules/sm/lone_sm.h"
#include "sc_tests/modules/sm/random_kernel.h"

namespace heddle {
namespace {

using testing::FakeKernel;
using testing::LoneSm;

/// Stands before a qualifier and a prioritizer of the registry, and holds them to what they may answer.
struct Checked {
  static inline const QualifierEntry* qualifier = nullptr;  ///< of those created from now on
  static inline const PrioritizerEntry* prioritizer = nullptr;
};

template <class Policy>
class Forwarding : public Policy {
 public:
  explicit Forwarding(std::unique_ptr<Policy> inner) : inner_(std::move(inner)) {}
  void on_start(unsigned warp) override { inner_->on_start(warp); }
  void on_finish(unsigned warp) override { inner_->on_finish(warp); }
  void on_issue(const IssueEvent& event) override { inner_->on_issue(event); }
  std::uint64_t update(std::uint64_t cycle) override { return inner_->update(cycle); }

 protected:
  std::unique_ptr<Policy> inner_;
};

class CheckedQualifier final : public Forwarding<Qualifier> {
 public:
  using Forwarding::Forwarding;
  WarpMask qualify(std::uint64_t cycle, WarpMask issuable) override {
    const WarpMask qualified = inner_->qualify(cycle, issuable);
    EXPECT_EQ(qualified & ~issuable, 0U) << "qualified warps that may not issue";
    return qualified & issuable;
  }
  hw::TimingPath qualify_path() const override { return inner_->qualify_path(); }
};

class CheckedPrioritizer final : public Forwarding<Prioritizer> {
 public:
  using Forwarding::Forwarding;
  unsigned select(std::uint64_t cycle, WarpMask issuable) override {
    const unsigned warp = inner_->select(cycle, issuable);
    if (warp == kNoWarp) return warp;
    const bool ready = warp < kMaxWarps && (issuable >> warp & 1U) != 0;
    EXPECT_TRUE(ready) << "chose warp " << warp << ", which is not ready";
    return ready ? warp : kNoWarp;
  }
  hw::TimingPath choice_path() const override { return inner_->choice_path(); }
  bool pass_over(std::uint64_t cycle, WarpMask held) override { return inner_->pass_over(cycle, held); }
};

QualifierEntry checked_qualifier{
    "checked_qualifier", "test", [](const PolicyContext& context) -> std::unique_ptr<Qualifier> {
      return std::make_unique<CheckedQualifier>(Checked::qualifier->create(context));
    }};
PrioritizerEntry checked_prioritizer{
    "checked_prioritizer", "test", [](const PolicyContext& context) -> std::unique_ptr<Prioritizer> {
      return std::make_unique<CheckedPrioritizer>(Checked::prioritizer->create(context));
    }};

/// An SM with the checked policies and a random kernel.
struct Rig {
  Rig(std::uint32_t seed, hw::Timing timing, const std::string& management)
      : name("every" + std::to_string(seed)),
        kernel(testing::random_kernel(seed)),
        bed(name, configured(seed, timing, management), {60}) {
    bed.sm.issue.issuer.issued.listen([this](const WarpInstruction& instruction) {
      EXPECT_EQ(instruction.scheduler, instruction.warp % bed.config.core.schedulers);
      EXPECT_TRUE(issued.emplace(instruction.issued_at, instruction.scheduler).second)
          << "two instructions in cycle " << instruction.issued_at;
    });
    bed.dispatcher.launch(*kernel, 0);
  }
  static GpuConfig configured(std::uint32_t seed, hw::Timing timing, const std::string& management) {
    GpuConfig config;
    config.core.resources.management = management;
    if (management != "tb") config.core.registers = 16 * kWarpSize * 11;  // TBs start in parts
    // Sets of their own that hardly meet: the warps that may issue are not those that are wanted.
    config.scheduler.settings.edit(swl_parameters).warps = 1 + seed % 4;
    config.scheduler.settings.edit(two_level_active_parameters).active_warps = 1 + seed % 3;
    config.scheduler.settings.edit(two_level_active_parameters).long_wait =
        seed % 4 < 2 ? LongWait::kMarked : LongWait::kUntilData;
    config.core.tb_slots = 4;
    config.scheduler.name = "checked_qualifier+checked_prioritizer";
    config.scheduler.timing = timing;
    if (seed % 3 != 2) config.scheduler.choice_cycles = seed % 3 == 0 ? 3 : 0;  // 0: one to nine
    config.scheduler.clock_fo4 = 16;
    return config;
  }

  std::string name;
  std::unique_ptr<FakeKernel> kernel;
  LoneSm bed;
  std::set<std::pair<Cycle, unsigned>> issued;  ///< cycle, scheduler
};

class EverySchedulerTest
    : public ::testing::TestWithParam<std::tuple<const QualifierEntry*, const PrioritizerEntry*>> {};

void expect_good_answers_and_an_end(
    const std::tuple<const QualifierEntry*, const PrioritizerEntry*>& policies,
    const std::string& management) {
  add_policy(checked_qualifier);
  add_policy(checked_prioritizer);
  std::tie(Checked::qualifier, Checked::prioritizer) = policies;
  checked_qualifier.shared = Checked::qualifier->shared;
  checked_prioritizer.shared = Checked::prioritizer->shared;
  std::vector<std::unique_ptr<Rig>> rigs;
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    rigs.push_back(
        std::make_unique<Rig>(seed, seed % 2 == 0 ? hw::Timing::kHardware : hw::Timing::kIdeal, management));
  }
  sc_core::sc_start(sc_core::sc_time(200, sc_core::SC_US));
  for (const auto& rig : rigs) {
    rig->bed.clock.rethrow_fault();
    EXPECT_FALSE(rig->issued.empty());
    EXPECT_TRUE(rig->bed.dispatcher.idle()) << rig->name << ": deadlock\n"
                                            << rig->bed.sm.issue.describe_waiting();
  }
}

TEST_P(EverySchedulerTest, IssuesReadyWarpsOneAtATimeAndEnds) {
  expect_good_answers_and_an_end(GetParam(), "tb");
}

/// The warps of a TB start at different times, and take the slots of warps whose TBs still run.
TEST_P(EverySchedulerTest, DoesSoWithPartialThreadBlocks) {
  expect_good_answers_and_an_end(GetParam(), "warp_temporal_spatial");
}

INSTANTIATE_TEST_SUITE_P(Registry, EverySchedulerTest,
                         ::testing::Combine(::testing::ValuesIn(qualifiers()),
                                            ::testing::ValuesIn(prioritizers())),
                         [](const auto& pair) {
                           return std::string(std::get<0>(pair.param)->name) + "_" +
                                  std::get<1>(pair.param)->name;
                         });

}  // namespace
}  // namespace heddle
