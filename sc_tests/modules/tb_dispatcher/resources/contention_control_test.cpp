#include "modules/tb_dispatcher/resources/contention_control.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "hw/pricing/inventory.h"
#include "hw/pricing/part.h"
#include "sc_tests/modules/tb_dispatcher/resources/managed_sm.h"
#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

using testing::core_with;
using testing::demand_of;
using testing::Manager;

TEST(WarpLimitTest, AtTheThresholdNothingIsGivenWarpByWarp) {
  CoreConfig core = core_with("warp_temporal_spatial", "threshold");
  Manager sm(core);
  EXPECT_EQ(sm.start(demand_of(16, 23)), 16U);
  EXPECT_EQ(sm.start(demand_of(16, 23)), 16U);
  EXPECT_EQ(sm.start(demand_of(16, 23)), 4U);  // 12 would fit; 36 at most
  sm.end_warps(0, 1);
  EXPECT_EQ(sm.manager->issue_waiting(), 1U);
  core.resources.contention_warps = 32;
  Manager less(core);
  less.start(demand_of(16, 23));
  less.start(demand_of(16, 23));
  EXPECT_EQ(less.manager->room(0, demand_of(16, 23), true), 0U);
  EXPECT_EQ(less.start(demand_of(8, 8)), 8U) << "whole TBs start as ever";
}

TEST(WarpLimitTest, TheThresholdDoesNotHoldThePartialTbWhenItIsAlone) {
  CoreConfig core = core_with("warp_temporal_spatial", "threshold");
  core.resources.contention_warps = 20;
  core.registers = 32 * kWarpSize * 24;
  Manager sm(core);
  EXPECT_EQ(sm.start(demand_of(16, 32)), 16U);
  EXPECT_EQ(sm.start(demand_of(16, 32)), 4U);
  sm.end_warps(0, 4);
  EXPECT_EQ(sm.manager->issue_waiting(), 4U);  // 20 run
  sm.end_warps(0, 12);
  sm.manager->tb_ended(sm.shares[0]);
  EXPECT_EQ(sm.manager->issue_waiting(), 8U);  // all it has left, alone
}

// WarpMan 6.1: concurrent warps are counted and compared in parts of the SM; without the threshold there are
// none.
TEST(WarpLimitTest, ComparesWithTheThresholdInPricedParts) {
  hw::Inventory inventory;
  hw::Owner sm0;
  sm0.inventory = &inventory;
  sm0.path = "sm0";
  {
    const Manager unlimited(core_with("warp_temporal_spatial"), sm0);
    for (const hw::Part* found : inventory.parts()) EXPECT_EQ(found->owner(), "sm0/workload_buffer");
  }
  Manager sm(core_with("warp_temporal_spatial", "threshold"), sm0);
  const auto part = [&inventory](std::string_view name) -> const hw::Part& {
    for (const hw::Part* found : inventory.parts()) {
      if (found->owner() == "sm0/warp_limit" && found->name() == name) return *found;
    }
    throw std::logic_error("no part");
  };
  EXPECT_EQ(part("running").structure().total_bits(), 6U);  // up to 48 warps
  sm.start(demand_of(16, 23));
  sm.start(demand_of(16, 23));
  EXPECT_EQ(part("fewer").activity().compares, 0U) << "whole TBs are not held back";
  sm.start(demand_of(16, 23));
  EXPECT_EQ(part("running").activity().adds, 36U);
  EXPECT_EQ(part("below_limit").activity().adds, 1U);
  EXPECT_EQ(part("fewer").activity().compares, 1U);
  sm.end_warps(0, 1);
  EXPECT_EQ(sm.manager->issue_waiting(), 1U);
  EXPECT_EQ(part("running").activity().adds, 38U);
  EXPECT_EQ(part("below_limit").activity().adds, 3U) << "the warp that starts, and the next, which may not";
  EXPECT_EQ(part("alone").activity().compares, 1U) << "only at the limit";
}

TEST(DuelingTest, TheBetterOfTwoSmsDecidesForTheOthers) {
  CoreConfig core = core_with("warp_temporal_spatial", "dueling");
  core.resources.dueling_period_cycles = 1000;
  const auto duel = make_contention_control(core);
  EXPECT_EQ(duel->period_cycles(), 1000U);
  EXPECT_EQ(duel->watched_sms(), 2U);
  EXPECT_FALSE(duel->may_use_fragments(0));
  EXPECT_TRUE(duel->may_use_fragments(1));
  EXPECT_TRUE(duel->may_use_fragments(2));
  const auto end_period = [&](std::uint64_t temporal, std::uint64_t spatial, std::uint64_t cycle) {
    const std::uint64_t issued[] = {temporal, spatial};
    duel->end_period(issued, cycle);
  };
  const std::uint64_t begin[] = {5000, 100};
  duel->begin(begin, 50);
  end_period(5901, 1000, 1050);  // 901 and 900 instructions
  EXPECT_FALSE(duel->may_use_fragments(2));
  EXPECT_TRUE(duel->may_use_fragments(1)) << "it is compared with, whatever it decides";
  end_period(6000, 1100, 2050);  // 99 and 100
  EXPECT_TRUE(duel->may_use_fragments(2));
  end_period(6100, 1199, 3050);  // 100 and 99
  EXPECT_FALSE(duel->may_use_fragments(2));
  end_period(6200, 1299, 4050);  // 100 and 100
  EXPECT_TRUE(duel->may_use_fragments(2));
  EXPECT_FALSE(duel->may_use_fragments(0));
  test::StatTable table;
  duel->report(table);
  EXPECT_EQ(table.values,
            (std::map<std::string, std::uint64_t>{{"comparisons", 4}, {"comparisons_for_temporal", 2}}));
}

// Two counters, the period, their comparison and the decision, for the whole GPU.
TEST(DuelingTest, IsMadeOfPricedParts) {
  hw::Inventory inventory;
  hw::Owner owner;
  owner.inventory = &inventory;
  CoreConfig core = core_with("warp_temporal_spatial", "dueling");
  core.resources.dueling_period_cycles = 10000;  // 14 bits
  const auto duel = make_contention_control(core, owner);
  const std::uint64_t begin[] = {0, 0};
  const std::uint64_t end[] = {700, 800};
  duel->begin(begin, 0);
  duel->end_period(end, 10000);
  std::uint64_t bits = 0;
  std::uint64_t adds = 0;
  for (const hw::Part* part : inventory.parts()) {
    EXPECT_EQ(part->owner(), "dueling");
    bits += part->structure().total_bits();
    adds += part->activity().adds;
  }
  EXPECT_EQ(bits, 2U * 32 + 14 + 1);
  EXPECT_EQ(adds, 700U + 800 + 10000);
}

}  // namespace
}  // namespace heddle
