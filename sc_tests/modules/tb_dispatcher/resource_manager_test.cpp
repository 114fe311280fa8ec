#include "modules/tb_dispatcher/resources/resource_manager.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <stdexcept>

#include "hw/inventory.h"
#include "hw/part.h"
#include "modules/tb_dispatcher/resources/contention_control.h"
#include "modules/tb_dispatcher/resources/sm_account.h"

namespace heddle {
namespace {

TbDemand demand_of(unsigned warps, unsigned registers_per_thread, unsigned shared_bytes = 0) {
  TbDemand demand;
  demand.warps = warps;
  demand.threads = warps * kWarpSize;
  demand.registers_per_thread = registers_per_thread;
  demand.registers = registers_per_thread * demand.threads;
  demand.shared_bytes = shared_bytes;
  return demand;
}

CoreConfig core_with(const std::string& management, const std::string& contention = "none") {
  CoreConfig core;
  core.resources.management = management;
  core.resources.contention = contention;
  return core;
}

/// A manager and the shares of its TBs.
struct Manager {
  explicit Manager(const CoreConfig& core) : manager(resource_management(core).create(core)) {}
  /// Starts a TB with all that there is room for; how many warps that is.
  unsigned start(const TbDemand& demand, std::uint64_t launch = 0, bool may_split = true) {
    const unsigned warps = manager->room(launch, demand, may_split);
    if (warps == 0) return 0;
    shares.push_back({launch, demand, 0, 0});
    manager->start(shares.back(), warps);
    return warps;
  }
  void end_warps(std::size_t share, unsigned count) {
    for (unsigned n = 0; n < count; ++n) manager->warp_ended(shares[share]);
  }
  std::unique_ptr<ResourceManager> manager;
  std::deque<TbShare> shares;
};

/// The paper's example (WarpMan 4): MM has 8 warps, 24 registers a thread and 2 kB of shared memory.
const TbDemand kMatrixMultiply = demand_of(8, 24, 2048);

TEST(ResourceManagerTest, ByTbFiveBlocksOfThePapersExampleFit) {
  Manager sm(core_with("tb"));
  for (int n = 0; n < 5; ++n) EXPECT_EQ(sm.start(kMatrixMultiply), 8U);
  EXPECT_EQ(sm.manager->free().registers(), 2048U);
  EXPECT_EQ(sm.start(kMatrixMultiply), 0U);
}

TEST(ResourceManagerTest, ASixthStartsWithTwoWarpsWhenBlocksAreSplit) {
  Manager sm(core_with("warp_temporal_spatial"));
  for (int n = 0; n < 5; ++n) EXPECT_EQ(sm.start(kMatrixMultiply), 8U);
  EXPECT_EQ(sm.start(kMatrixMultiply), 2U);
  EXPECT_EQ(sm.manager->free().registers(), 512U);
  ASSERT_NE(sm.manager->partial(), nullptr);
  EXPECT_EQ(sm.manager->partial()->unissued, 6U);
  EXPECT_EQ(sm.start(demand_of(1, 0)), 0U) << "at most one partial TB, before all others";
}

TEST(ResourceManagerTest, TemporalAloneSplitsNothing) {
  Manager sm(core_with("warp_temporal"));
  for (int n = 0; n < 5; ++n) EXPECT_EQ(sm.start(kMatrixMultiply), 8U);
  EXPECT_EQ(sm.start(kMatrixMultiply), 0U);
  sm.end_warps(0, 5);
  EXPECT_EQ(sm.start(kMatrixMultiply), 0U);  // 2 + 5 warps
  sm.end_warps(1, 1);
  EXPECT_EQ(sm.start(kMatrixMultiply), 8U);
}

TEST(ResourceManagerTest, ByTbAWarpThatEndsGivesNothingBack) {
  Manager sm(core_with("tb"));
  for (int n = 0; n < 5; ++n) sm.start(kMatrixMultiply);
  sm.end_warps(0, 8);
  EXPECT_EQ(sm.start(kMatrixMultiply), 0U);
  sm.manager->tb_ended(sm.shares[0]);
  EXPECT_EQ(sm.start(kMatrixMultiply), 8U);
}

// Each of the checks of WarpMan 4.1 alone keeps a TB, or its part, off the SM.
TEST(ResourceManagerTest, ChecksEveryResource) {
  const TbDemand small = demand_of(2, 8, 1024);
  struct Case {
    const char* what;
    TbDemand first;
    unsigned room;  ///< for `second`
    TbDemand second;
  };
  const Case cases[] = {
      {"shared memory counts for the whole TB", demand_of(1, 8, 48128), 0, demand_of(2, 8, 2048)},
      {"registers for one of two warps", demand_of(31, 32), 1, demand_of(2, 32)},
      {"no registers for a warp", demand_of(32, 31), 1, demand_of(32, 32)},
      {"warp slots for 4 of 8 warps", demand_of(44, 8), 4, demand_of(8, 8)},
      {"everything fits", demand_of(44, 8), 2, small},
  };
  for (const Case& c : cases) {
    Manager sm(core_with("warp_temporal_spatial"));
    ASSERT_EQ(sm.start(c.first), c.first.warps) << c.what;
    EXPECT_EQ(sm.manager->room(0, c.second, true), c.room) << c.what;
    const bool whole = c.room == c.second.warps;
    EXPECT_EQ(sm.manager->room(0, c.second, false), whole ? c.room : 0U) << c.what;
  }
  Manager sm(core_with("warp_temporal_spatial"));
  for (unsigned n = 0; n < 8; ++n) EXPECT_EQ(sm.start(demand_of(1, 8)), 1U);
  EXPECT_EQ(sm.start(demand_of(1, 8)), 0U) << "TB slots";
}

TEST(ResourceManagerTest, UnissuedWarpsGetWhatWarpsGiveBackBeforeAnyTb) {
  Manager sm(core_with("warp_temporal_spatial"));
  for (int n = 0; n < 5; ++n) sm.start(kMatrixMultiply);
  sm.start(kMatrixMultiply);
  EXPECT_EQ(sm.manager->issue_waiting(), 0U);
  sm.end_warps(3, 4);
  EXPECT_EQ(sm.manager->room(0, kMatrixMultiply, true), 0U);
  EXPECT_EQ(sm.manager->issue_waiting(), 4U);
  sm.end_warps(2, 3);
  EXPECT_EQ(sm.manager->issue_waiting(), 2U);
  EXPECT_EQ(sm.manager->partial(), nullptr);
  EXPECT_EQ(sm.start(kMatrixMultiply), 1U);  // what is left of the three
}

// WarpMan 4.2: a warp that ends lets one unissued warp start. Of one kernel's, it is all that there is room
// for.
TEST(ResourceManagerTest, OfOneKernelEachWarpThatEndsLetsOneStart) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
    const TbDemand demand = demand_of(2 + draw(31), 4 * (1 + draw(8)));
    Manager sm(core_with("warp_temporal_spatial"));
    std::vector<unsigned> running;  // warps of each share
    const auto fill = [&] {
      while (const unsigned warps = sm.start(demand)) running.push_back(warps);
    };
    fill();
    for (unsigned step = 0; step < 300; ++step) {
      const TbShare* const partial = sm.manager->partial();
      const auto which = draw(static_cast<unsigned>(running.size()));
      const unsigned ends = std::min(running[which], 1 + draw(4));
      // A partial TB whose warps all end goes on with the warps that these let start.
      const unsigned unissued = partial == nullptr ? 0 : partial->unissued;
      sm.end_warps(which, ends);
      running[which] -= ends;
      const TbShare& ended = sm.shares[which];
      if (ends != 0 && ended.ended == demand.warps) sm.manager->tb_ended(sm.shares[which]);
      ASSERT_EQ(sm.manager->issue_waiting(), std::min(ends, unissued)) << "seed " << seed;
      for (std::size_t n = 0; n < running.size(); ++n) {
        if (&sm.shares[n] == partial) running[n] += std::min(ends, unissued);
      }
      fill();
    }
  }
}

TEST(ResourceManagerTest, AnEarlyWarpsResourcesServeOnlyItsOwnKernel) {
  Manager sm(core_with("warp_temporal_spatial"));
  ASSERT_EQ(sm.start(demand_of(16, 32), 1), 16U);
  ASSERT_EQ(sm.start(demand_of(16, 32), 2), 16U);
  sm.end_warps(0, 5);
  EXPECT_EQ(sm.manager->room(2, demand_of(16, 32), true), 0U);
  EXPECT_EQ(sm.manager->room(1, demand_of(16, 32), true), 5U);
  sm.end_warps(0, 11);
  sm.manager->tb_ended(sm.shares[0]);
  EXPECT_EQ(sm.manager->room(2, demand_of(16, 32), true), 16U);
}

TEST(ResourceManagerTest, AtTheThresholdNothingIsGivenWarpByWarp) {
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

TEST(ResourceManagerTest, TheThresholdDoesNotHoldThePartialTbWhenItIsAlone) {
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

TEST(ResourceManagerTest, RejectsUnknownNames) {
  EXPECT_THROW(resource_management(core_with("warp")), std::invalid_argument);
  EXPECT_THROW(make_contention_control(core_with("tb", "fight")), std::invalid_argument);
  CoreConfig one_sm = core_with("tb", "dueling");
  one_sm.sms = 1;
  EXPECT_THROW(make_contention_control(one_sm), std::invalid_argument);
}

TEST(DuelingTest, TheBetterOfTwoSmsDecidesForTheOthers) {
  CoreConfig core = core_with("warp_temporal_spatial", "dueling");
  core.resources.dueling_period_cycles = 1000;
  const auto duel = make_contention_control(core);
  EXPECT_EQ(duel->period_cycles(), 1000U);
  EXPECT_EQ(duel->watched_sms(), 2U);
  EXPECT_FALSE(duel->may_split(0));
  EXPECT_TRUE(duel->may_split(1));
  EXPECT_TRUE(duel->may_split(2));
  const auto end_period = [&](std::uint64_t temporal, std::uint64_t spatial, std::uint64_t cycle) {
    const std::uint64_t issued[] = {temporal, spatial};
    duel->end_period(issued, cycle);
  };
  const std::uint64_t begin[] = {5000, 100};
  duel->begin(begin, 50);
  end_period(5901, 1000, 1050);  // 901 and 900 instructions
  EXPECT_FALSE(duel->may_split(2));
  EXPECT_TRUE(duel->may_split(1)) << "it is compared with, whatever it decides";
  end_period(6000, 1100, 2050);  // 99 and 100
  EXPECT_TRUE(duel->may_split(2));
  end_period(6100, 1199, 3050);  // 100 and 99
  EXPECT_FALSE(duel->may_split(2));
  end_period(6200, 1299, 4050);  // 100 and 100
  EXPECT_TRUE(duel->may_split(2));
  EXPECT_FALSE(duel->may_split(0));
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

// Two accounts told the same come to the same; nothing is ever given twice, and all of it comes back.
TEST(SmAccountTest, GivesNothingTwiceAndGetsEverythingBack) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
    CoreConfig core = core_with(resource_managements()[draw(3)]->name, draw(2) == 0 ? "none" : "threshold");
    core.resources.contention_warps = 1 + draw(48);
    core.tb_slots = 1 + draw(8);
    SmAccount account(core);
    const TbDemand demands[] = {demand_of(1 + draw(32), 4 * (1 + draw(8)), 128 * draw(100)),
                                demand_of(1 + draw(32), 4 * (1 + draw(8)), 128 * draw(100))};
    struct Tb {
      TbShare* share;
      unsigned live;
    };
    std::deque<Tb> tbs;
    Ticks now = 1;
    for (unsigned event = 0; event < 400; ++event, ++now) {
      account.advance(now);
      const std::uint64_t launch = draw(2);
      const TbDemand& demand = demands[launch];
      const unsigned room = account.room(launch, demand, draw(4) != 0);
      ASSERT_LE(room, demand.warps);
      if (room != 0) {
        ASSERT_EQ(account.partial(), nullptr);
        TbShare& share = account.start(launch, demand, room);
        tbs.push_back({&share, demand.warps});
        ASSERT_EQ(share.unissued, demand.warps - room);
      }
      // No count of free things may have gone through 0.
      ASSERT_LE(account.free().registers(), core.registers);
      ASSERT_LE(account.free().warps(), core.warps);
      ASSERT_LE(account.free().shared_bytes(), core.shared_bytes);
      ASSERT_LE(account.free().tb_slots(), core.tb_slots);
      for (unsigned n = draw(6); n != 0 && !tbs.empty(); --n) {
        const std::size_t which = draw(static_cast<unsigned>(tbs.size()));
        Tb& tb = tbs[which];
        if (tb.live == tb.share->unissued) continue;  // nothing of it runs
        if (account.early_release()) account.warp_ended(*tb.share, now);
        if (--tb.live != 0) {
          account.advance(now + 1);
          continue;
        }
        account.tb_ended(*tb.share, now);
        tbs.erase(tbs.begin() + static_cast<std::ptrdiff_t>(which));
      }
      ++now;
    }
    for (unsigned n = 0; n < 20000 && !tbs.empty(); ++n, ++now) {
      account.advance(now);
      Tb& tb = tbs.front();
      if (tb.live == tb.share->unissued) {
        ASSERT_GT(tbs.size(), 1U) << "seed " << seed << ": nothing can go on";
        tbs.push_back(tb);
        tbs.pop_front();
        continue;
      }
      if (account.early_release()) account.warp_ended(*tb.share, now);
      if (--tb.live != 0) continue;
      account.tb_ended(*tb.share, now);
      tbs.pop_front();
    }
    account.advance(now + 1);
    ASSERT_TRUE(tbs.empty()) << "seed " << seed;
    EXPECT_EQ(account.free().registers(), core.registers);
    EXPECT_EQ(account.free().warps(), core.warps);
    EXPECT_EQ(account.free().shared_bytes(), core.shared_bytes);
    EXPECT_EQ(account.free().tb_slots(), core.tb_slots);
  }
}

TEST(SmAccountTest, WhatEndsAtTIsFreeFromTheNextEdgeOn) {
  SmAccount account(core_with("warp_temporal_spatial"));
  TbShare& share = account.start(0, demand_of(32, 32), 32);
  account.warp_ended(share, 100);
  EXPECT_EQ(account.advance(100), 0U);
  EXPECT_EQ(account.room(0, demand_of(1, 32), true), 0U);
  account.advance(101);
  EXPECT_EQ(account.room(0, demand_of(1, 32), true), 1U);
}

}  // namespace
}  // namespace heddle
