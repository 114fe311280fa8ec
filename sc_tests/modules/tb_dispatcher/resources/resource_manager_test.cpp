#include "modules/tb_dispatcher/resources/resource_manager.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <stdexcept>

#include "modules/tb_dispatcher/resources/contention_control.h"
#include "modules/tb_dispatcher/resources/sm_account.h"
#include "sc_tests/modules/tb_dispatcher/resources/managed_sm.h"

namespace heddle {
namespace {

using testing::core_with;
using testing::demand_of;
using testing::Manager;

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

TEST(ResourceManagerTest, TemporalAloneGivesWhatWarpsGaveBackAndNoFragment) {
  Manager sm(core_with("warp_temporal"));
  for (int n = 0; n < 5; ++n) EXPECT_EQ(sm.start(kMatrixMultiply), 8U);
  EXPECT_EQ(sm.start(kMatrixMultiply), 0U) << "there is room for two warps, but for no whole TB";
  sm.end_warps(0, 5);
  EXPECT_EQ(sm.start(kMatrixMultiply), 5U);
  sm.end_warps(1, 2);
  EXPECT_EQ(sm.manager->issue_waiting(), 2U);
  sm.end_warps(0, 3);
  sm.manager->tb_ended(sm.shares[0]);
  EXPECT_EQ(sm.manager->issue_waiting(), 1U);
  EXPECT_EQ(sm.start(kMatrixMultiply), 2U);
}

// WarpMan's Stencil: a TB of 32 warps and 17,408 registers, of which an SM holds one. It gains by early
// release alone (figure 15), and whole TBs could not start in the 24 warps' room that they give back.
TEST(ResourceManagerTest, TemporalAloneStartsPartOfABlockInTheRoomOfOneOnlyBlock) {
  const TbDemand stencil = demand_of(32, 17);
  Manager sm(core_with("warp_temporal"));
  EXPECT_EQ(sm.start(stencil), 32U);
  EXPECT_EQ(sm.start(stencil), 0U);
  sm.end_warps(0, 24);
  EXPECT_EQ(sm.start(stencil), 24U);
  EXPECT_EQ(sm.manager->unused().warps(), 48U - 32);
}

// 'temp' of SM dueling is that of the management.
TEST(ResourceManagerTest, ATbThatMayNotUseFragmentsIsGivenWhatTemporalAloneGives) {
  Manager temporal(core_with("warp_temporal"));
  Manager spatial(core_with("warp_temporal_spatial"));
  for (int n = 0; n < 5; ++n) {
    EXPECT_EQ(temporal.start(kMatrixMultiply), spatial.start(kMatrixMultiply, 0, false));
  }
  EXPECT_EQ(spatial.start(kMatrixMultiply, 0, false), 0U);
  for (Manager* sm : {&temporal, &spatial}) sm->end_warps(2, 3);
  EXPECT_EQ(temporal.start(kMatrixMultiply), 3U);
  EXPECT_EQ(spatial.start(kMatrixMultiply, 0, false), 3U);
  EXPECT_EQ(spatial.manager->issue_waiting(), 0U) << "nor does it later";
}

// In any order of starts and ends, and with partial TBs, no more warps than whole TBs have.
TEST(ResourceManagerTest, TemporalAloneNeverRunsMoreWarpsThanManagementByTb) {
  unsigned partial = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
    const TbDemand demand = demand_of(1 + draw(32), 4 * (1 + draw(8)));
    Manager by_tb(core_with("tb"));
    unsigned most = 0;
    while (const unsigned warps = by_tb.start(demand)) most += warps;
    Manager sm(core_with("warp_temporal"));
    const auto running = [&sm] { return 48 - sm.manager->unused().warps(); };
    for (unsigned step = 0; step < 300; ++step) {
      sm.manager->issue_waiting();
      while (sm.start(demand) != 0) partial += sm.manager->partial() != nullptr ? 1 : 0;
      ASSERT_LE(running(), most) << "seed " << seed;
      if (sm.manager->free().tb_slots() != 0 && sm.manager->partial() == nullptr) {
        ASSERT_EQ(running(), most) << "seed " << seed << ": what warps gave back is given again";
      }
      TbShare& share = sm.shares[draw(static_cast<unsigned>(sm.shares.size()))];
      if (share.ended + share.unissued == demand.warps) continue;  // nothing of it runs
      sm.manager->warp_ended(share);
      if (share.ended == demand.warps) sm.manager->tb_ended(share);
    }
  }
  EXPECT_GT(partial, 100U);
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
    EXPECT_EQ(sm.manager->room(1, c.second, true), c.room) << c.what;
    const bool whole = c.room == c.second.warps;
    EXPECT_EQ(sm.manager->room(1, c.second, false), whole ? c.room : 0U) << c.what;
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
  EXPECT_EQ(sm.manager->free().registers(), 0U);
  EXPECT_EQ(sm.manager->unused().registers(), 5U * 32 * kWarpSize) << "nobody's, but kept for one kernel";
  EXPECT_EQ(sm.manager->unused().warps(), 48U - 32 + 5);
  sm.end_warps(0, 11);
  sm.manager->tb_ended(sm.shares[0]);
  EXPECT_EQ(sm.manager->room(2, demand_of(16, 32), true), 16U);
  EXPECT_EQ(sm.manager->unused().registers(), sm.manager->free().registers());
}

TEST(ResourceManagerTest, RejectsUnknownNames) {
  EXPECT_THROW(resource_management(core_with("warp")), std::invalid_argument);
  EXPECT_THROW(make_contention_control(core_with("tb", "fight")), std::invalid_argument);
  CoreConfig one_sm = core_with("tb", "dueling");
  one_sm.sms = 1;
  EXPECT_THROW(make_contention_control(one_sm), std::invalid_argument);
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
      const bool use_fragments = draw(4) != 0;
      const unsigned room = account.room(launch, demand, use_fragments);
      ASSERT_LE(room, demand.warps);
      if (room != 0) {
        ASSERT_EQ(account.partial(), nullptr);
        TbShare& share = account.start(launch, demand, room, use_fragments);
        tbs.push_back({&share, demand.warps});
        ASSERT_EQ(share.unissued, demand.warps - room);
      }
      // No count of free things may have gone through 0.
      ASSERT_LE(account.free().registers(), core.registers);
      ASSERT_LE(account.free().warps(), core.warps);
      ASSERT_LE(account.free().shared_bytes(), core.shared_bytes);
      ASSERT_LE(account.free().tb_slots(), core.tb_slots);
      // What is used is what resident TBs and their running warps have.
      unsigned used_registers = 0;
      unsigned used_warps = 0;
      unsigned used_shared = 0;
      for (const Tb& tb : tbs) {
        const TbDemand& has = tb.share->demand;
        const unsigned running =
            account.early_release() ? has.warps - tb.share->unissued - tb.share->ended : has.warps;
        used_registers += running * has.registers_per_warp();
        used_warps += running;
        used_shared += has.shared_bytes;
      }
      ASSERT_EQ(account.unused().registers(), core.registers - used_registers);
      ASSERT_EQ(account.unused().warps(), core.warps - used_warps);
      ASSERT_EQ(account.unused().shared_bytes(), core.shared_bytes - used_shared);
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
  TbShare& share = account.start(0, demand_of(32, 32), 32, true);
  account.warp_ended(share, 100);
  EXPECT_EQ(account.advance(100), 0U);
  EXPECT_EQ(account.room(0, demand_of(1, 32), true), 0U);
  account.advance(101);
  EXPECT_EQ(account.room(0, demand_of(1, 32), true), 1U);
}

// A third TB of launch 0 goes on in the room of 12 warps that the first has given back; 12 warps of the
// second end together with the first TB, and may be told of before it or after.
TEST(SmAccountTest, WhatATbLeavesToOthersDoesNotDependOnTheOrderOfEndsInACycle) {
  for (const bool tb_first : {false, true}) {
    SmAccount account(core_with("warp_temporal_spatial"));
    const TbDemand demand = demand_of(20, 16);
    TbShare& first = account.start(0, demand, 20, true);
    TbShare& second = account.start(0, demand, 20, true);
    account.start(0, demand, 8, true);
    for (unsigned n = 0; n < 12; ++n) account.warp_ended(first, 100);
    ASSERT_EQ(account.advance(101), 12U);
    for (unsigned n = 0; !tb_first && n < 12; ++n) account.warp_ended(second, 200);
    for (unsigned n = 0; n < 8; ++n) account.warp_ended(first, 200);
    account.tb_ended(first, 200);
    for (unsigned n = 0; tb_first && n < 12; ++n) account.warp_ended(second, 200);
    account.advance(201);
    EXPECT_EQ(account.room(1, demand, true), 20U) << (tb_first ? "TB first" : "warps first");
    EXPECT_EQ(account.unused().warps(), 20U);
  }
}

}  // namespace
}  // namespace heddle
