// The pieces that OAWS is built of: classifier, OCW, order, watch registers, forecast.
#include <gtest/gtest.h>

#include "hw/pricing/inventory.h"
#include "hw/reports/cost_table.h"
#include "modules/warp_scheduler/policies/oaws/locality.h"
#include "modules/warp_scheduler/policies/oaws/parameters.h"
#include "modules/warp_scheduler/policies/oaws/room.h"
#include "modules/warp_scheduler/sm_policies.h"

namespace heddle {
namespace {

using Dlc = DivergentLoadClassifier;

hw::Owner strict_hardware() {
  hw::Owner owner;
  owner.path = "sm0/oaws";
  owner.timing = hw::Timing::kHardware;
  owner.strict = true;
  return owner;
}

TEST(OawsClassifierTest, KnowsALoadFromItsFirstDivergenceOn) {
  Dlc dlc({}, {}, Dlc::History::kKept);
  EXPECT_FALSE(dlc.divergent(0, 240));
  EXPECT_TRUE(dlc.record(0, 240, 32));
  EXPECT_TRUE(dlc.divergent(1, 240));
  EXPECT_FALSE(dlc.divergent(1, 272));
  EXPECT_FALSE(dlc.record(2, 240, 5));
  EXPECT_EQ(dlc.instances(240), 2U);
  EXPECT_EQ(dlc.accesses(240), 37U);
}

/// 32 lanes load 16 bytes each from local memory: four lines a lane.
TEST(OawsClassifierTest, ALoadOfMoreLinesThanLanesDivergesToo) {
  for (const unsigned lines : {3U, 32U, 63U, 64U, 65U, 66U, 128U}) {
    Dlc dlc({}, {}, Dlc::History::kKept);
    LoadCoalesced load;
    load.pc = 240;
    load.lines = lines;
    EXPECT_TRUE(classify(dlc, load)) << lines;
    EXPECT_EQ(dlc.accesses(240), std::min(lines, kWarpSize));
  }
}

TEST(OawsClassifierTest, IsSensitiveWhenAccessesAreMoreThanOneAndAHalfTimesTheSets) {
  Dlc dlc({}, {}, Dlc::History::kKept);
  dlc.record(0, 8, 12);
  EXPECT_FALSE(dlc.record_sets(1, 8, 8));  // 12 = 1.5 x 8
  dlc.record(2, 8, 13);
  EXPECT_TRUE(dlc.record_sets(3, 8, 8));  // 25 > 24
  EXPECT_EQ(dlc.sets(8), 16U);
  EXPECT_FALSE(dlc.record_sets(4, 16, 1));  // unknown
}

TEST(OawsClassifierTest, HalvesAllCountsBeforeOneOverflows) {
  Dlc dlc({}, {}, Dlc::History::kKept);
  for (hw::Cycle i = 0; i < 31; ++i) {
    dlc.record(2 * i, 8, 32);
    dlc.record_sets(2 * i + 1, 8, 16);
  }
  EXPECT_EQ(dlc.accesses(8), 992U);
  EXPECT_EQ(dlc.sets(8), 496U);
  EXPECT_EQ(dlc.instances(8), 31U);
  dlc.record(100, 8, 32);  // 1024 would not fit in 10 bits
  EXPECT_EQ(dlc.accesses(8), 528U);
  EXPECT_EQ(dlc.sets(8), 248U);
  EXPECT_EQ(dlc.instances(8), 16U);
}

TEST(OawsClassifierTest, ReplacesTheLeastRecentlyDivergedAndForgetsWhenCleared) {
  OawsParameters config;
  config.dlc_entries = 2;
  Dlc dlc({}, config, Dlc::History::kNone);
  dlc.record(0, 8, 32);
  dlc.record(1, 16, 32);
  dlc.record(2, 8, 32);
  EXPECT_TRUE(dlc.record(3, 24, 32));
  EXPECT_TRUE(dlc.divergent(4, 8));
  EXPECT_FALSE(dlc.divergent(4, 16));
  EXPECT_TRUE(dlc.divergent(4, 24));
  dlc.clear();
  EXPECT_FALSE(dlc.divergent(5, 8));
}

TEST(OawsClassifierTest, PortsServeACoalescedLoadAnEndedOneAndAPredictionInACycle) {
  Dlc dlc(strict_hardware(), {}, Dlc::History::kKept);
  dlc.record(0, 8, 32);
  dlc.record(1, 16, 32);
  for (unsigned cycle = 2; cycle < 50; ++cycle) {
    dlc.record(cycle, 8, 32);
    dlc.record_sets(cycle, 16, 8);
    dlc.divergent(cycle, 8);
  }
}

TEST(OawsClassifierTest, TwoLoadsThatCountAtOneEntryInACycleAreCountedTogether) {
  for (const bool reversed : {false, true}) {
    Dlc dlc(strict_hardware(), {}, Dlc::History::kKept);
    for (unsigned cycle = 0; cycle < 127; ++cycle) dlc.record(cycle, 8, 4);
    for (unsigned cycle = 200; cycle < 210; ++cycle) dlc.record_sets(cycle, 8, 8);
    if (reversed) dlc.record_sets(500, 8, 8);
    dlc.record(500, 8, 32);
    if (!reversed) dlc.record_sets(500, 8, 8);
    EXPECT_EQ(dlc.instances(8), 127U / 2 + 1);  // all halved, then both counted
    EXPECT_EQ(dlc.accesses(8), 127U * 4 / 2 + 32);
    EXPECT_EQ(dlc.sets(8), 80U / 2 + 8);
    dlc.record(501, 8, 1);
    EXPECT_EQ(dlc.instances(8), 127U / 2 + 2);
  }
}

/// Runs `n` loads of one kind; the number of changes of OCW.
unsigned run(OcwEstimator& ocw, unsigned n, bool cached, bool sensitive = false) {
  unsigned changes = 0;
  for (unsigned i = 0; i < n; ++i) changes += ocw.load_done(i, cached, sensitive);
  return changes;
}

TEST(OcwEstimatorTest, RisesWhenCntReachesItsEndNotBefore) {
  OcwEstimator ocw({}, {}, 48, 2);
  EXPECT_EQ(ocw.ocw(), 2U);
  EXPECT_EQ(ocw.cnt(), 128U);
  EXPECT_EQ(run(ocw, 126, true), 0U);
  EXPECT_EQ(ocw.cnt(), 254U);
  EXPECT_EQ(run(ocw, 1, true), 1U);
  EXPECT_EQ(ocw.ocw(), 3U);
  EXPECT_EQ(ocw.cnt(), 0U);
  EXPECT_EQ(run(ocw, 254, true), 0U);
  EXPECT_EQ(run(ocw, 1, true), 1U);
  EXPECT_EQ(ocw.ocw(), 4U);
}

TEST(OcwEstimatorTest, FallsByOneALoadOrByHalves) {
  OcwEstimator ones({}, {}, 48, 2);
  run(ones, 127 + 100, true);
  ASSERT_EQ(ones.ocw(), 3U);
  ASSERT_EQ(ones.cnt(), 100U);
  EXPECT_EQ(run(ones, 99, false), 0U);
  EXPECT_EQ(ones.cnt(), 1U);
  EXPECT_EQ(run(ones, 1, false), 1U);
  EXPECT_EQ(ones.ocw(), 2U);
  EXPECT_EQ(ones.cnt(), 255U);

  OcwEstimator halves({}, {}, 48, 2);
  run(halves, 127 + 100, true);
  const unsigned expected[] = {50, 25, 13, 7, 4, 2, 1};
  for (const unsigned cnt : expected) {
    EXPECT_FALSE(halves.load_done(0, false, true));
    EXPECT_EQ(halves.cnt(), cnt);
  }
  EXPECT_TRUE(halves.load_done(0, false, true));
  EXPECT_EQ(halves.ocw(), 2U);
}

TEST(OcwEstimatorTest, DeltaCanBeFixed) {
  OawsParameters config;
  config.delta = OawsDelta::kOne;
  OcwEstimator one({}, config, 48, 2);
  one.load_done(0, false, true);
  EXPECT_EQ(one.cnt(), 127U);
  config.delta = OawsDelta::kHalf;
  OcwEstimator half({}, config, 48, 2);
  half.load_done(0, false, false);
  EXPECT_EQ(half.cnt(), 64U);
}

TEST(OcwEstimatorTest, StaysInItsRangeAndCntWithIt) {
  OcwEstimator ocw({}, {}, 48, 2);
  run(ocw, 1000, false);
  EXPECT_EQ(ocw.ocw(), 2U);
  EXPECT_EQ(ocw.cnt(), 0U);
  run(ocw, 48 * 255, true);
  EXPECT_EQ(ocw.ocw(), 48U);
  EXPECT_EQ(ocw.cnt(), 255U);
  EXPECT_EQ(run(ocw, 1, true), 0U);
  EXPECT_EQ(ocw.cnt(), 255U);
  EXPECT_EQ(run(ocw, 255, false), 1U);
  EXPECT_EQ(ocw.ocw(), 47U);
}

TEST(OcwEstimatorTest, LeavesEachSchedulerAWarp) {
  OawsParameters config;
  for (const unsigned schedulers : {1U, 2U, 3U, 4U}) {
    config.ocw_min = 1;
    OcwEstimator ocw({}, config, 48, schedulers);
    EXPECT_EQ(ocw.ocw(), schedulers);
    run(ocw, 300, true);
    EXPECT_EQ(ocw.ocw(), schedulers + 1);
    run(ocw, 1000, false);
    EXPECT_EQ(ocw.ocw(), schedulers);
    config.ocw_min = 6;
    EXPECT_EQ(OcwEstimator({}, config, 48, schedulers).ocw(), 6U);
  }
  config.ocw_min = 1;
  EXPECT_EQ(OcwEstimator({}, config, 2, 4).ocw(), 2U);  // two of the four have no warp
}

TEST(OcwEstimatorTest, RejectsImpossibleParameters) {
  OawsParameters config;
  config.ocw_min = 9;
  EXPECT_THROW(OcwEstimator({}, config, 8, 2), std::invalid_argument);
  config.ocw_min = 2;
  config.cnt_start = 256;
  EXPECT_THROW(OcwEstimator({}, config, 8, 2), std::invalid_argument);
}

TEST(GtoOrderTest, RanksSharesOutTheSchedulers) {
  GtoOrder order({}, 8, 2, GtoOrder::Use::kRanks);
  for (const unsigned w : {3U, 1U, 0U, 5U, 2U}) order.start(0, w);
  // Scheduler 0 has 0, 2 in the order of their age; scheduler 1 has 3, 1, 5.
  EXPECT_EQ(order.rank(0, 0), 0U);
  EXPECT_EQ(order.rank(0, 3), 1U);
  EXPECT_EQ(order.rank(0, 2), 2U);
  EXPECT_EQ(order.rank(0, 1), 3U);
  EXPECT_EQ(order.rank(0, 5), 5U);
  EXPECT_EQ(order.first(3, 0), warp_bit(0) | warp_bit(3) | warp_bit(2));
  EXPECT_EQ(order.first(3, warp_bit(3) | warp_bit(0)), warp_bit(2) | warp_bit(1));
  order.finish(3);
  EXPECT_EQ(order.rank(0, 1), 1U);
  EXPECT_EQ(order.ranked(), warp_bit(0) | warp_bit(1) | warp_bit(2) | warp_bit(5));
}

TEST(GtoOrderTest, TakesInAllWarpsOfACycleInHardwareTheLowerSlotsFirst) {
  GtoOrder order(strict_hardware(), 8, 2, GtoOrder::Use::kRanks);
  order.start(0, 6);
  for (const unsigned w : {4U, 1U, 0U, 2U}) order.start(1, w);
  order.finish(2);
  EXPECT_EQ(order.ranked(), 0b1010011U);
  EXPECT_EQ(order.rank(2, 6), 0U);
  EXPECT_EQ(order.rank(3, 0), 2U);
  EXPECT_EQ(order.rank(4, 4), 4U);
  EXPECT_EQ(order.rank(5, 1), 1U);
}

TEST(GtoOrderTest, TheOldestOnesAreThoseOfLowRank) {
  GtoOrder order({}, 8, 2, GtoOrder::Use::kOldest);
  for (const unsigned w : {3U, 1U, 0U, 5U, 2U, 7U, 6U}) order.start(0, w);
  for (unsigned count = 0; count <= 9; ++count) {
    for (const WarpMask passed_over : {WarpMask{0}, warp_bit(3) | warp_bit(0), warp_bit(2), ~WarpMask{0}}) {
      EXPECT_EQ(order.oldest(count, passed_over), order.first(count, passed_over)) << count;
    }
  }
}

TEST(LoadWatchTest, SeesMissesAndSetsOfOneLoadAtATime) {
  LoadWatch watch({}, GpuConfig{});
  L1dAccess access;
  access.instruction = 1;
  access.line.set = 3;
  watch.access(0, access);
  access.outcome = L1dOutcome::kMerged;
  watch.access(1, access);
  access.line.set = 31;
  access.outcome = L1dOutcome::kHit;
  watch.access(2, access);
  watch.complete(2, true);
  EXPECT_TRUE(watch.divergent());
  EXPECT_FALSE(watch.fully_cached());
  EXPECT_EQ(watch.sets(), 2U);
  access.instruction = 2;
  watch.access(3, access);
  watch.complete(3, false);
  EXPECT_FALSE(watch.divergent());
  EXPECT_TRUE(watch.fully_cached());
  EXPECT_EQ(watch.sets(), 1U);
}

// Of loads that the qualifier holds back there are never so many; other streams' loads it does not hold back.
TEST(MshrForecastTest, ALoadThatFindsNoPlaceIsNotFollowed) {
  GpuConfig gpu;
  gpu.l1d.mshr.entries = 1024;
  MshrForecast forecast({}, gpu, 5);
  for (unsigned id = 0; id < forecast.carried() + 2; ++id) forecast.issued(0, id, 1);
  EXPECT_FALSE(forecast.can_follow());
  EXPECT_EQ(forecast.loads_in_flight(), forecast.carried());
  EXPECT_EQ(forecast.in_flight(), forecast.carried());
  EXPECT_EQ(forecast.left(forecast.carried()), 0U);
  EXPECT_EQ(forecast.left(0), 1U);
  forecast.issued(1, 5000, 3);
  EXPECT_EQ(forecast.left(5000), 3U);
}

// 4 entries: the register of what is in flight has 4 bits. A load beyond it would take off more than was
// added.
TEST(MshrForecastTest, ALoadWhosePredictionTheSumCannotHoldIsNotFollowed) {
  GpuConfig gpu;
  gpu.l1d.mshr.entries = 4;
  MshrForecast forecast({}, gpu, 5);
  for (unsigned id = 0; id < 3; ++id) forecast.issued(0, id, 4);
  forecast.update(1);
  forecast.issued(1, 3, 3);
  forecast.issued(1, 4, 4);
  forecast.update(2);
  EXPECT_EQ(forecast.in_flight(), 15U);
  EXPECT_EQ(forecast.left(4), 0U);
  EXPECT_EQ(forecast.left(3), 3U);
  forecast.update(3);
  EXPECT_EQ(forecast.in_flight(), 12U);
  for (unsigned id = 0; id < 3; ++id) forecast.left(id);
  forecast.update(4);
  EXPECT_EQ(forecast.in_flight(), 0U);
}

TEST(MshrForecastTest, RoomIsWhatIsFreeLessWhatIsSpokenFor) {
  GpuConfig gpu;
  gpu.l1d.mshr.entries = 32;
  MshrForecast forecast({}, gpu, 5);
  EXPECT_EQ(forecast.room(0), 32U);
  forecast.issued(0, 7, 16);
  EXPECT_EQ(forecast.room(0), 16U);  // already for the other scheduler in the same cycle
  EXPECT_EQ(forecast.room(0), 16U);
  forecast.update(1);
  forecast.set_available(20, 22);
  EXPECT_EQ(forecast.room(20), 6U);  // its taken entries count twice until it has left the L1D
  forecast.set_available(25, 10);
  EXPECT_EQ(forecast.room(25), 0U);
  EXPECT_EQ(forecast.left(7), 16U);
  forecast.update(26);
  EXPECT_EQ(forecast.room(26), 10U);
  EXPECT_EQ(forecast.left(7), 0U);
}

TEST(OawsCostTest, IsThePapers348BytesAndTheRegisters) {
  for (const auto& [name, bits] : {std::pair<const char*, unsigned>{"oaws_dynamic", 348 * 8},
                                   // The DLC of static OAWS holds PCs only: 32 x 5 bytes.
                                   std::pair<const char*, unsigned>{"oaws_static", (160 + 60) * 8},
                                   std::pair<const char*, unsigned>{"ocw_throttling", 288 * 8}}) {
    WarpTable table;
    GpuConfig gpu;
    gpu.scheduler.name = name;
    gpu.l1d.mshr.entries = 32;
    gpu.l1d.cache.sets = 32;
    hw::Inventory inventory;
    hw::Owner owner;
    owner.inventory = &inventory;
    owner.path = "sm0";
    const SmPolicies policies({table, gpu, 0, nullptr, nullptr, owner});
    EXPECT_EQ(make_cost_table(inventory, {}).totals.paper_bits_per_sm, bits) << name;
  }
}

TEST(OawsCostTest, RegistersHaveTheirWidths) {
  WarpTable table;
  GpuConfig gpu;
  gpu.scheduler.name = "oaws_dynamic";
  gpu.l1d.mshr.entries = 32;
  hw::Inventory inventory;
  hw::Owner owner;
  owner.inventory = &inventory;
  owner.path = "sm0";
  const SmPolicies policies({table, gpu, 0, nullptr, nullptr, owner});
  const auto bits_of = [&](const std::string& name) {
    for (const hw::Part* part : inventory.parts()) {
      if (part->name() == name) return static_cast<unsigned>(part->structure().declared_bits());
    }
    return 0U;
  };
  EXPECT_EQ(bits_of("available"), 6U);
  EXPECT_EQ(bits_of("in_flight"), 7U);
  EXPECT_EQ(bits_of("div"), 1U);
  EXPECT_EQ(bits_of("fcl"), 8U);
  EXPECT_EQ(bits_of("sets"), 32U);
  EXPECT_EQ(bits_of("ocw"), 6U);
  EXPECT_EQ(bits_of("cnt"), 8U);
  EXPECT_EQ(bits_of("predictions"), 480U);
}

TEST(OawsCostTest, PcAndLanesOfAPredictionComeOutOfAllWarps) {
  WarpTable table;
  GpuConfig gpu;
  gpu.scheduler.name = "oaws_static";
  hw::Inventory inventory;
  hw::Owner owner;
  owner.inventory = &inventory;
  owner.path = "sm0";
  const SmPolicies policies({table, gpu, 0, nullptr, nullptr, owner});
  double nand2 = 0;
  for (const hw::Part* part : inventory.parts()) {
    if (part->name() == "prediction_operands") nand2 = part->structure().area.total();
  }
  EXPECT_NEAR(nand2, 1.6 * 48 * (40 + 32), 1);  // behind a line per warp
}

// In hardware timing registers hold what a prediction has come to; ideal timing has none of them.
TEST(OawsCostTest, APredictionIsCutByItsRegisters) {
  const auto path_of = [](hw::Timing timing, const std::string& name) {
    WarpTable table;
    GpuConfig gpu;
    gpu.scheduler.name = "oaws_dynamic";
    hw::Inventory inventory;
    hw::Owner owner;
    owner.inventory = &inventory;
    owner.timing = timing;
    const SmPolicies policies({table, gpu, 0, nullptr, nullptr, owner});
    for (const hw::Inventory::BlockPath& path : inventory.paths()) {
      if (path.name == name) return path.path;
    }
    return hw::TimingPath();
  };
  const hw::TimingPath whole = path_of(hw::Timing::kIdeal, "predict");
  const hw::TimingPath cut = path_of(hw::Timing::kHardware, "predict");
  EXPECT_DOUBLE_EQ(whole.longest_stage_fo4(), whole.fo4());
  EXPECT_DOUBLE_EQ(cut.fo4(), whole.fo4());
  EXPECT_GT(cut.fo4(), 2 * 28 - 4) << "it takes three cycles";
  EXPECT_LT(cut.longest_stage_fo4(), 36);
  EXPECT_LT(path_of(hw::Timing::kHardware, "predict_rank").longest_stage_fo4(), cut.fo4());
  EXPECT_GT(path_of(hw::Timing::kHardware, "classify").fo4(), 28);
}

}  // namespace
}  // namespace heddle
