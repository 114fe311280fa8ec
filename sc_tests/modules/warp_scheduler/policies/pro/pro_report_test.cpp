// What PRO tells of itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "modules/warp_scheduler/policies/pro/parameters.h"
#include "sc_tests/modules/warp_scheduler/policies/pro/pro_rig.h"
#include "sc_tests/support/stat_table.h"
#include "sc_tests/support/unread_waves.h"

namespace heddle {
namespace {

using testing::ProRig;

std::map<std::string, double> report_of(const ProRig& rig) {
  test::StatTable table;
  rig.policy->report(table);
  std::map<std::string, double> values = table.levels;
  for (const auto& [name, value] : table.values) values[name] = static_cast<double>(value);
  return values;
}

// A row of PRO table IV: the TBs of the grid in their order when the threshold ran out.
TEST(ProReportTest, LogsTheOrderOfTheBlocksAtEachThreshold) {
  ProParameters pro;
  pro.logged_sorts = 2;
  pro.cycles_per_compare = 4;
  ProRig rig(hw::Timing::kHardware, pro);
  rig.start_all(3);
  rig.update_at(100);
  rig.issue(8);
  rig.arrive(4);
  rig.update_at(1000);
  EXPECT_EQ(report_of(rig).at("sort0.cycle"), -1);  // not yet in force
  rig.update_at(1400);
  const std::map<std::string, double> first = report_of(rig);
  EXPECT_EQ(first.at("sort0.cycle"), 1000);
  EXPECT_EQ(first.at("sort0.place0"), 11);
  EXPECT_EQ(first.at("sort0.place1"), 12);
  EXPECT_EQ(first.at("sort0.place2"), 10);
  for (const char* place : {"3", "4", "5", "6", "7"})
    EXPECT_EQ(first.at("sort0.place" + std::string(place)), -1);
  EXPECT_EQ(first.at("sort1.cycle"), -1);
  EXPECT_EQ(first.at("threshold_sorts"), 1);
}

TEST(ProReportTest, CountsSortsStatesAndInstructionsUnderAStaleOrder) {
  ProParameters pro;
  pro.cycles_per_compare = 10;
  ProRig rig(hw::Timing::kHardware, pro);
  rig.start_all(2);
  rig.update_at(500);
  rig.arrive(4);
  rig.cycle = 510;
  rig.issue(5);
  rig.cycle = 511;  // the TBs are sorted, their warps not yet: three comparisons at least
  rig.issue(5);
  rig.issue(0);
  const std::map<std::string, double> values = report_of(rig);
  EXPECT_EQ(values.at("issues_under_stale_tb_order"), 1);
  EXPECT_EQ(values.at("issues_under_stale_warp_order"), 2);
  EXPECT_EQ(values.at("issues.barrierWait"), 2);
  EXPECT_EQ(values.at("issues.noWait"), 1);
  EXPECT_EQ(values.at("tb_order.swaps"), 1);
  EXPECT_EQ(values.at("tb_order.longest_cycles"), 11);
  EXPECT_EQ(values.at("warp_order.sorts"), 0);
  EXPECT_EQ(values.at("threshold_sorts"), 0);
}

// Every state of PRO figure 3 in which a warp can issue.
TEST(ProReportTest, CountsTheInstructionsOfEveryState) {
  ProRig rig;
  rig.start_all(3);
  rig.arrive(4);
  rig.finish(8);
  const auto issue = [&rig](unsigned warp, unsigned times) {
    for (unsigned i = 0; i < times; ++i) rig.issue(warp);
  };
  issue(0, 1);
  issue(5, 2);
  issue(9, 3);
  rig.grid_dispatched();
  issue(5, 4);
  issue(0, 5);
  issue(9, 6);
  const std::map<std::string, double> values = report_of(rig);
  EXPECT_EQ(values.at("issues.noWait"), 1);
  EXPECT_EQ(values.at("issues.barrierWait"), 2);
  EXPECT_EQ(values.at("issues.finishWait"), 3);
  EXPECT_EQ(values.at("issues.barrierWait1"), 4);
  EXPECT_EQ(values.at("issues.finishNoWait"), 5 + 6);
  EXPECT_EQ(values.at("progress_wraps"), 0);
}

// One comparator, 10 cycles a pair. The TBs are sorted as each comes, the first alone, and at 500; at 505
// they have to wait until 511, and change places again. A sort begins in the cycle after. The four warps of a
// TB, in order already, take three comparisons.
TEST(ProReportTest, CountsTheWorkOfTheSorters) {
  ProParameters pro;
  pro.cycles_per_compare = 10;
  ProRig rig(hw::Timing::kHardware, pro);
  rig.start_all(2);
  rig.update_at(500);
  rig.arrive(4);
  rig.cycle = 505;
  rig.arrive(0);
  rig.update_at(900);
  std::map<std::string, double> of_sorters;
  for (const auto& [name, value] : report_of(rig)) {
    if (name.find("_order.") != std::string::npos) of_sorters[name] = value;
  }
  EXPECT_EQ(of_sorters, (std::map<std::string, double>{{"tb_order.sorts", 4},
                                                       {"tb_order.waited", 1},
                                                       {"tb_order.compares", 3},
                                                       {"tb_order.swaps", 2},
                                                       {"tb_order.busy_cycles", 32},
                                                       {"tb_order.longest_cycles", 11},
                                                       {"warp_order.sorts", 2},
                                                       {"warp_order.waited", 0},
                                                       {"warp_order.compares", 6},
                                                       {"warp_order.swaps", 0},
                                                       {"warp_order.busy_cycles", 62},
                                                       {"warp_order.longest_cycles", 31}}));
}

/// Adders of three cycles: the sum of an instruction of cycle 100 is there at 102, whether the schedulers
/// have something to do then or not.
TEST(ProReportTest, WavesShowASumInTheCycleInWhichItIsThere) {
  ProParameters pro;
  pro.add_cycles = 3;
  for (const bool traced : {false, true}) {
    ProRig rig(hw::Timing::kHardware, pro);
    testing::UnreadWaves waves;
    if (traced) rig.policy->trace(waves);
    rig.start(0);
    rig.update_at(100);
    rig.issue(0);
    EXPECT_EQ(rig.update_at(101), 1000U);  // schedulers run no more often: they count their uses
    EXPECT_EQ(rig.policy->show(101), traced ? 102U : SharedPolicy::kNever);
    if (!traced) continue;
    EXPECT_EQ(rig.blocks().warp_progress(0), 0U);
    EXPECT_EQ(rig.policy->show(102), SharedPolicy::kNever);
    EXPECT_EQ(rig.blocks().warp_progress(0), 32U);
  }
}

/// Comparisons of 20 cycles, of which the first begins in the cycle after the threshold.
TEST(ProReportTest, WavesShowWhenAComparisonEndsWhileSchedulersSleep) {
  ProParameters pro;
  pro.cycles_per_compare = 20;
  ProRig rig(hw::Timing::kHardware, pro);
  testing::UnreadWaves waves;
  rig.policy->trace(waves);
  rig.start_all(3);
  rig.policy->show(100);  // all is over
  rig.update_at(1000);    // all is sorted: three TBs in three comparisons at most
  EXPECT_TRUE(rig.policy->order().tbs_stale());
  std::vector<std::uint64_t> ends;
  for (std::uint64_t cycle = 1000; cycle < 1100; cycle = rig.policy->show(cycle)) ends.push_back(cycle);
  EXPECT_EQ(std::count(ends.begin(), ends.end(), 1021), 1);
  EXPECT_EQ(std::count(ends.begin(), ends.end(), 1041), 1);
  EXPECT_FALSE(rig.policy->order().tbs_stale());
}

}  // namespace
}  // namespace heddle
