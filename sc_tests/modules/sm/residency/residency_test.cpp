#include "modules/sm/residency/residency.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "modules/counts/launch_counts.h"
#include "sc_tests/support/fake_kernel.h"

namespace heddle {
namespace {

using testing::FakeKernel;

/// Does what a test asks for at its turn of an edge.
struct Turn : Clocked {
  Turn(ClockDomain& domain, int order, const std::string& name) : Clocked(domain, order, name) {}
  bool tick() override {
    if (work) work(domain().cycle());
    return true;
  }
  std::function<void(Cycle)> work;
};

/// Residency without the rest of an SM: warps run until the test retires them.
struct ResidencyRig : private WarpRunner, private TbEnds {
  explicit ResidencyRig(const std::string& management = "tb", unsigned warp_slots = 48)
      : clock("clock", sc_core::sc_time(1, sc_core::SC_NS)),
        config(managed(management, warp_slots)),
        before(clock, 0, "before"),
        turn(clock, 1, "turn"),
        feed(SmContext{table, config}, turn),
        residency(config.core, {}, {clock, table, statistics, feed, *this, *this}) {
    turn.work = [this](Cycle cycle) {
      if (retires) retires(cycle);
      if (residency.changing()) residency.advance();
    };
    transaction.launch = &kernel;
    transaction.tb = 5;
  }
  static GpuConfig managed(const std::string& management, unsigned warp_slots) {
    GpuConfig config;
    config.core.warps = warp_slots;
    config.core.resources.management = management;
    return config;
  }
  /// Accepts the TB at cycle 0, before the first edge, which is that of cycle 1.
  void accept() { EXPECT_TRUE(residency.accept(transaction)); }
  /// Accepts the TB at edge `cycle`, before residency's own turn.
  void accept_at(Cycle cycle) {
    before.work = [this, cycle](Cycle now) {
      if (now == cycle) accept();
    };
  }
  void run_to(Cycle cycle) {
    sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycle) + 0.5, sc_core::SC_NS) -
                      sc_core::sc_time_stamp());
  }

  void start_tb(TbSlot slot, unsigned warps) override { started_tbs.emplace_back(slot.value(), warps); }
  void start_warp(const PlacedWarp& warp) override {
    started.push_back({clock.cycle(), warp.slot.value(), warp.warp_in_tb.value()});
  }
  void warp_done(TbTransaction& ended) override {
    ends.push_back("warp " + std::to_string(ended.warp.value()));
  }
  void tb_done(TbTransaction& ended) override { ends.push_back("tb " + std::to_string(ended.tb)); }

  struct Started {
    Cycle cycle;
    unsigned slot;
    unsigned warp_in_tb;
  };

  ClockDomain clock;
  GpuConfig config;
  WarpTable table;
  IssueStatistics statistics;
  Turn before;
  Turn turn;
  PolicyFeed feed;
  Residency residency;
  FakeKernel kernel{8, 3 * kWarpSize};
  TbTransaction transaction;
  std::function<void(Cycle)> retires;
  std::vector<std::pair<unsigned, unsigned>> started_tbs;
  std::vector<Started> started;
  std::vector<std::string> ends;
};

TEST(ResidencyTest, ATbThatIsTakenAtAnEdgeStartsAtTheNext) {
  ResidencyRig rig;
  rig.accept_at(3);
  rig.run_to(3);
  EXPECT_TRUE(rig.started.empty());
  EXPECT_EQ(rig.residency.tbs(), 1U);
  rig.run_to(4);
  ASSERT_EQ(rig.started.size(), 3U);
  for (unsigned w = 0; w < 3; ++w) {
    EXPECT_EQ(rig.started[w].cycle, 4U);
    EXPECT_EQ(rig.started[w].slot, w);
    EXPECT_EQ(rig.started[w].warp_in_tb, w);
    EXPECT_EQ(rig.table.age[w], w);
  }
  EXPECT_EQ(rig.started_tbs, (std::vector<std::pair<unsigned, unsigned>>{{0, 3}}));
  EXPECT_EQ(rig.table.resident, WarpMask{7});
  EXPECT_FALSE(rig.residency.changing());
}

TEST(ResidencyTest, TellsTheEndOfEachWarpAndThenOfTheTb) {
  ResidencyRig rig;
  rig.accept();
  std::vector<Cycle> emptied;
  rig.residency.emptied.listen([&](Cycle cycle) { emptied.push_back(cycle); });
  rig.retires = [&](Cycle cycle) {
    if (cycle == 11) rig.residency.retire(2);
    if (cycle == 13) rig.residency.retire(0);
    if (cycle == 21) rig.residency.retire(1);
  };
  rig.run_to(20);
  EXPECT_EQ(rig.ends, (std::vector<std::string>{"warp 2", "warp 0"}));
  EXPECT_EQ(rig.residency.tbs(), 1U);
  EXPECT_EQ(rig.table.resident, WarpMask{2});
  rig.run_to(21);
  EXPECT_EQ(rig.ends, (std::vector<std::string>{"warp 2", "warp 0", "warp 1", "tb 5"}));
  EXPECT_EQ(rig.residency.tbs(), 0U);
  EXPECT_EQ(rig.table.resident, 0U);
  EXPECT_EQ(emptied, std::vector<Cycle>{21});
}

TEST(ResidencyTest, CountsWhatLivesHere) {
  ResidencyRig rig;
  rig.kernel.registers = 10;
  rig.kernel.shared = 1000;
  rig.accept();
  rig.retires = [&](Cycle cycle) {
    if (cycle == 11) rig.residency.retire(2);
    if (cycle == 13) rig.residency.retire(0);
    if (cycle == 21) rig.residency.retire(1);
  };
  rig.run_to(40);
  rig.residency.settle(41);
  // Warps from cycle 1 on: 10, 12 and 20 cycles.
  EXPECT_EQ(rig.statistics.warps, 3U);
  EXPECT_EQ(rig.statistics.tbs, 1U);
  EXPECT_EQ(rig.statistics.active_cycles, 20U);
  EXPECT_EQ(rig.statistics.warp_cycles, 42U);
  EXPECT_EQ(rig.statistics.tb_warp_cycles, 60U);
  EXPECT_EQ(rig.statistics.unused_warp_cycles, 18U);
  EXPECT_EQ(rig.statistics.unequal_tbs, 1U);
  EXPECT_EQ(rig.statistics.rtru_microbits, 1736966U);  // log2(60 / 18)
  const TbDemand demand = TbDemand::of(rig.kernel, rig.config.core);
  EXPECT_EQ(rig.statistics.warp_slot_cycles, 60U);  // managed by TB: to its end
  EXPECT_EQ(rig.statistics.register_cycles, 60U * demand.registers_per_warp());
  EXPECT_EQ(rig.statistics.shared_byte_cycles, 20U * demand.shared_bytes);
  EXPECT_EQ(rig.residency.cycles_with_tb(40), 41U - 21U);
}

TEST(ResidencyTest, CountsForTheLaunchToo) {
  LaunchCounts counts;
  ResidencyRig rig;
  rig.transaction.counts = &counts;
  rig.accept();
  rig.retires = [&](Cycle cycle) {
    for (unsigned w = 0; cycle == 11 && w < 3; ++w) rig.residency.retire(w);
  };
  rig.run_to(6);
  rig.residency.settle(7);
  EXPECT_EQ(counts.issue.warp_cycles, 18U);  // cycles 1 to 6
  rig.run_to(20);
  rig.residency.settle(21);
  EXPECT_EQ(counts.issue.warp_cycles, 30U);
  EXPECT_EQ(counts.issue.warps, 3U);
  EXPECT_EQ(counts.issue.tbs, 1U);
  EXPECT_EQ(counts.issue.tb_warp_cycles, 30U);
  EXPECT_EQ(counts.issue.unused_warp_cycles, 0U);
  EXPECT_EQ(counts.issue.unequal_tbs, 0U);
}

TEST(ResidencyTest, WhatAWarpGivesBackStartsAnUnissuedWarpAtTheNextEdge) {
  ResidencyRig rig("warp_temporal_spatial", 2);
  rig.transaction.start_warps = 2;
  rig.accept();
  rig.retires = [&](Cycle cycle) {
    if (cycle == 11) rig.residency.retire(0);
  };
  rig.run_to(11);
  EXPECT_EQ(rig.started.size(), 2U);
  EXPECT_NE(rig.residency.describe_waiting(), "");
  rig.run_to(12);
  ASSERT_EQ(rig.started.size(), 3U);
  EXPECT_EQ(rig.started[2].cycle, 12U);
  EXPECT_EQ(rig.started[2].slot, 0U);
  EXPECT_EQ(rig.started[2].warp_in_tb, 2U);
  EXPECT_EQ(rig.residency.describe_waiting(), "");
}

// The schedulers' turns begin with the odd slots for the second TB.
TEST(ResidencyTest, AWarpStartsInTheSlotThatWasChosenForIt) {
  ResidencyRig rig("warp_temporal");
  FakeKernel even(2, 4 * kWarpSize);
  rig.transaction.launch = &even;
  TbTransaction second = rig.transaction;
  rig.accept();
  EXPECT_TRUE(rig.residency.accept(second));
  rig.run_to(1);
  std::vector<unsigned> slots;
  for (const ResidencyRig::Started& warp : rig.started) slots.push_back(warp.slot);
  EXPECT_EQ(slots, (std::vector<unsigned>{0, 1, 2, 3, 5, 4, 7, 6}));
}

TEST(ResidencyTest, RefusesATbForWhichItLacksRoom) {
  ResidencyRig rig;
  FakeKernel large(1, 32 * kWarpSize);
  TbTransaction first;
  TbTransaction second;
  first.launch = second.launch = &large;
  EXPECT_TRUE(rig.residency.accept(first));
  EXPECT_FALSE(rig.residency.accept(second));
  EXPECT_EQ(rig.residency.tbs(), 1U);
}

}  // namespace
}  // namespace heddle
