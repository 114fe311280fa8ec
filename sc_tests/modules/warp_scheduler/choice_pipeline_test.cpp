// Into how many stages the choice of a warp is cut, and what these cost.
#include "modules/warp_scheduler/choice_pipeline.h"

#include <gtest/gtest.h>

#include "hw/pricing/inventory.h"
#include "modules/warp_scheduler/sm_policies.h"

namespace heddle {
namespace {

constexpr WarpMask kEven = 0x5555'5555'5555;

struct Built {
  Built(const std::string& name, unsigned choice_cycles, double clock_fo4 = 28,
        hw::Timing timing = hw::Timing::kHardware)
      : config(configured(name, choice_cycles, clock_fo4, timing)),
        policies({table, config, 0, nullptr, nullptr, hardware()}) {}
  static GpuConfig configured(const std::string& name, unsigned choice_cycles, double clock_fo4,
                              hw::Timing timing) {
    GpuConfig config;
    config.scheduler.name = name;
    config.scheduler.choice_cycles = choice_cycles;
    config.scheduler.clock_fo4 = clock_fo4;
    config.scheduler.timing = timing;
    return config;
  }
  hw::Owner hardware() {
    hw::Owner owner;
    owner.inventory = &inventory;
    owner.path = "sm0";
    owner.timing = config.scheduler.timing;
    owner.clock_fo4 = config.scheduler.clock_fo4;
    return owner;
  }
  unsigned cycles() { return policies.choice(0) == nullptr ? 1 : policies.choice(0)->cycles(); }
  /// From ready to chosen; what is inside an adaptive policy comes before its own.
  double choice_fo4() const {
    double fo4 = 0;
    for (const hw::Inventory::BlockPath& path : inventory.paths()) {
      if (path.name == "from ready to chosen") fo4 = path.path.fo4();
    }
    return fo4;
  }

  hw::Inventory inventory;
  GpuConfig config;
  WarpTable table;
  SmPolicies policies;
};

TEST(ChoiceTest, EveryPrioritizerSaysWhatItsChoiceGoesThrough) {
  for (const PrioritizerEntry* entry : prioritizers()) {
    Built built(entry->name, 0);
    if (!built.policies.unpriced().empty()) continue;  // of another test
    const double logic = built.choice_fo4() - 4;       // a flip-flop's
    EXPECT_GT(logic, 9) << entry->name;
    EXPECT_GE(built.cycles() * 24, logic) << entry->name;
    EXPECT_LT((built.cycles() - 1) * 24, logic) << entry->name;
  }
}

// 24 warps: 2.72 FO4 a level of find-first, 2.0 of an age matrix (hardware-parts.md).
TEST(ChoiceTest, HasAsManyStagesAsItsDepthNeedsAtTheClock) {
  EXPECT_EQ(Built("gto", 0).cycles(), 1U);
  EXPECT_EQ(Built("gto", 0, 12).cycles(), 2U);
  EXPECT_EQ(Built("lrr", 0).cycles(), 1U);
  EXPECT_EQ(Built("two_level_active", 0).cycles(), 2U);  // through the count of the slots that stay
  EXPECT_EQ(Built("pro", 0).cycles(), 3U);
  EXPECT_EQ(Built("pro", 0, 100).cycles(), 1U);
  EXPECT_EQ(Built("least_issued", 0).cycles(), 4U);
  EXPECT_EQ(Built("ipaws", 0).cycles(), 4U);  // the Recover phase takes what least_issued takes
}

TEST(ChoiceTest, AQualifierStandsInFrontOfThePrioritizer) {
  EXPECT_GT(Built("swl+lrr", 0).choice_fo4(), Built("lrr", 0).choice_fo4());
  EXPECT_DOUBLE_EQ(Built("none+lrr", 0).choice_fo4(), Built("lrr", 0).choice_fo4());
  // Which instructions go first is found once for both halves.
  EXPECT_DOUBLE_EQ(Built("mascar", 0).choice_fo4(), Built("mascar+gto", 0).choice_fo4());
  EXPECT_GT(Built("swl+mascar", 0).choice_fo4(), Built("mascar", 0).choice_fo4());
}

TEST(ChoiceTest, TakesNoTimeInIdealTimingOrWhenConfiguredSo) {
  EXPECT_EQ(Built("pro", 0, 28, hw::Timing::kIdeal).policies.choice(0), nullptr);
  EXPECT_EQ(Built("pro", 1).policies.choice(0), nullptr);
  EXPECT_EQ(Built("gto", 5).cycles(), 5U);
}

TEST(ChoiceTest, ItsStagesArePriced) {
  const auto bits = [](const Built& built) {
    std::uint64_t sum = 0;
    for (const hw::Part* part : built.inventory.parts()) {
      if (part->owner() == "sm0/choice") sum += part->structure().total_bits();
    }
    return sum;
  };
  EXPECT_EQ(bits(Built("gto", 1)), 0U);
  // Per scheduler and stage 24 warps, a number of 5 bits and whether there is one; and 24 bits for those on
  // their way.
  EXPECT_EQ(bits(Built("gto", 3)), 2U * (2 * (24 + 5 + 1) + 24));
}

TEST(ChoicePipelineTest, WhatIsBegunArrivesAfterItsCyclesAndIsOnItsWayUntilThen) {
  ChoicePipeline pipeline({}, 0, kEven, 4);
  pipeline.begin(10, {6, warp_bit(2)});
  pipeline.begin(11, {8, 0});
  pipeline.begin(12, {});
  EXPECT_EQ(pipeline.under_way(), warp_bit(6) | warp_bit(2) | warp_bit(8));
  EXPECT_EQ(pipeline.arrive(12).warp, kNoWarp);
  const ChoicePipeline::Choice first = pipeline.arrive(13);
  EXPECT_EQ(first.warp, 6U);
  EXPECT_EQ(first.passed_over, warp_bit(2));
  EXPECT_EQ(pipeline.under_way(), warp_bit(8));
  EXPECT_EQ(pipeline.arrive(13).warp, kNoWarp);
  EXPECT_EQ(pipeline.arrive(14).warp, 8U);
  EXPECT_EQ(pipeline.under_way(), 0U);
}

}  // namespace
}  // namespace heddle
