// What bounds a launch, and how it behaves, by the figures of timed runs.
#include "top/catalog/measured_launch.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "modules/counts/issue_cause.h"
#include "top/catalog/launch_distinction.h"
#include "top/support/results.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Names = std::vector<std::string>;

/// Of a launch: every count that is looked at, with 100 scheduler cycles of each cause.
json launch(const std::string& kernel, std::uint64_t cycles) {
  json scheduler{{"issued", 100}, {"cycles", 100 * kNumIssueCauses}};
  for (unsigned c = 1; c < kNumIssueCauses; ++c) scheduler[info(static_cast<IssueCause>(c)).name] = 100;
  return {{"kernel", kernel},
          {"metrics",
           {{"cycles", cycles},
            {"sm",
             {{"warp_instructions", 10},
              {"thread_instructions", 200},
              {"path_lanes", 240},
              {"active_cycles", cycles},
              {"warp_cycles", 24 * cycles},
              {"barrier_wait_cycles", 12 * cycles},
              {"tb_warp_cycles", 1000},
              {"unused_warp_cycles", 250}}},
            {"sm.scheduler", scheduler},
            {"sm.ldst",
             {{"accesses", 30},
              {"global_instructions", 10},
              {"cycles.idle", 40},
              {"cycles.progress", 25},
              {"cycles.mshr", 35}}},
            {"sm.l1d", {{"hits", 6}, {"loads", 24}}},
            {"partition.dram", {{"data_bytes", 100}, {"cycles_busy", 30}, {"cycles", 40}}}}}};
}

class MeasuredLaunches : public testing::Test {
 protected:
  MeasuredLaunches()
      : folder_(fs::path(testing::TempDir()) /
                ("measured_launch_" +
                 std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  void write(const std::vector<json>& launches, const char* end = "complete", bool passed = true) {
    const json stats{{"format", 2},
                     {"status", end == std::string("complete") ? "complete" : "partial"},
                     {"end", end},
                     {"workload", "w"},
                     {"size", "paper"},
                     {"scheduler", "gto"},
                     {"config", {{"name", "gtx480"}, {"values", {{"core.sms", 15}, {"core.warps", 48}}}}},
                     {"checks", {{{"passed", passed}}}},
                     {"launches", launches}};
    std::ofstream(folder_ / "stats.json") << stats;
    std::ofstream(folder_ / "speed.json") << json{{"cpu_seconds", 1.5}, {"peak_memory_bytes", 7}};
  }
  std::vector<MeasuredLaunch> read() const { return measured_launches({folder_.string()}); }

  fs::path folder_;
};

TEST_F(MeasuredLaunches, AddUpTheLaunchesOfAKernel) {
  write({launch("a", 100), launch("b", 50), launch("a", 300)});
  const auto found = read();
  ASSERT_EQ(found.size(), 2U);
  const MeasuredLaunch& a = found[0];
  EXPECT_EQ(a.workload + " " + a.size + " " + a.scheduler + " " + a.kernel, "w paper gto a");
  EXPECT_TRUE(a.correct);
  EXPECT_EQ(a.launches, 2U);
  EXPECT_EQ(a.cycles, 400U);
  EXPECT_EQ(a.warp_instructions, 20U);
  EXPECT_DOUBLE_EQ(*a.achieved_occupancy, 0.5);
  EXPECT_DOUBLE_EQ(*a.simd_efficiency, 0.75);
  EXPECT_DOUBLE_EQ(*a.lines_per_access, 3);
  EXPECT_DOUBLE_EQ(*a.bytes_per_instruction, 0.5);
  EXPECT_DOUBLE_EQ(*a.dram_utilization, 0.75);
  EXPECT_DOUBLE_EQ(*a.l1d_hit_rate, 0.25);
  EXPECT_DOUBLE_EQ(*a.barrier_wait, 0.5);
  EXPECT_DOUBLE_EQ(*a.rtru, 0.25);
  EXPECT_DOUBLE_EQ(*a.ldst_busy, 0.6);
  EXPECT_EQ(a.ldst_cause, "mshr");
  EXPECT_EQ(a.seconds, 1.5);
  EXPECT_EQ(a.memory_bytes, 7U);
  EXPECT_EQ(found[1].kernel, "b");
  EXPECT_EQ(found[1].cycles, 50U);
}

TEST_F(MeasuredLaunches, ChargeEverySlotToOneGroup) {
  write({launch("a", 100)});
  const SlotShares s = read().at(0).slots;
  EXPECT_NEAR(s.issued + s.memory + s.shared + s.arithmetic + s.barrier + s.fetch + s.no_warp + s.policy, 1,
              1e-12);
  EXPECT_NEAR(s.issued * kNumIssueCauses, 1, 1e-12);
  EXPECT_NEAR(s.shared * kNumIssueCauses, 1, 1e-12);
  EXPECT_NEAR(s.arithmetic * kNumIssueCauses, 4, 1e-12);
  EXPECT_NEAR(s.barrier * kNumIssueCauses, 1, 1e-12);
  EXPECT_NEAR(s.fetch * kNumIssueCauses, 2, 1e-12);
  EXPECT_NEAR(s.no_warp * kNumIssueCauses, 2, 1e-12);
  EXPECT_NEAR(s.policy * kNumIssueCauses, 1, 1e-12);
}

TEST_F(MeasuredLaunches, AreCorrectOnlyOfAWholeRunWhoseChecksPass) {
  write({launch("a", 1)});
  EXPECT_EQ(read().at(0).status, "complete");
  write({launch("a", 1)}, "cycle limit");
  EXPECT_FALSE(read().at(0).correct);
  EXPECT_EQ(read().at(0).status, "cycle limit");
  write({launch("a", 1)}, "complete", false);
  EXPECT_FALSE(read().at(0).correct);
  EXPECT_EQ(read().at(0).status, "check failed");
}

TEST_F(MeasuredLaunches, OfDamagedResultsAreAnError) {
  EXPECT_THROW(read(), ResultsError);
  json damaged = launch("a", 1);
  damaged["metrics"].erase("sm.scheduler");
  write({damaged});
  EXPECT_THROW(read(), ResultsError);
}

TEST_F(MeasuredLaunches, OfAMachineThatCanNotBeAreAnErrorThatNamesTheFile) {
  write({launch("a", 1)});
  json stats = json::parse(std::ifstream(folder_ / "stats.json"));
  stats["config"]["values"]["core.sms"] = -1;
  std::ofstream(folder_ / "stats.json") << stats;
  try {
    read();
    FAIL();
  } catch (const ResultsError& error) {
    EXPECT_NE(std::string(error.what()).find("stats.json: its configuration can't be one: "),
              std::string::npos)
        << error.what();
  }
}

std::string bound(const SlotShares& slots, double dram = 0, double ldst = 0) {
  MeasuredLaunch launch;
  launch.slots = slots;
  launch.dram_utilization = dram;
  launch.ldst_busy = ldst;
  launch.ldst_cause = "mshr";
  return bound_by(launch);
}

SlotShares slots(double SlotShares::*most, double share) {
  SlotShares all{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
  all.*most = share;
  return all;
}

/// Of a workload on a machine of so many SMs.
MeasuredLaunch on(const std::string& workload, const std::string& sms, const std::string& scheduler) {
  MeasuredLaunch launch;
  launch.workload = workload;
  launch.scheduler = scheduler;
  launch.settings = {{"core.sms", sms}, {"core.warps", "48"}};
  return launch;
}

TEST(LaunchDistinction, IsOfSettingsInWhichRunsOfAWorkloadDiffer) {
  std::vector<MeasuredLaunch> all{on("a", "1", "gto"), on("a", "8", "gto"), on("a", "1", "lrr"),
                                  on("b", "4", "gto")};
  EXPECT_TRUE(differ_in_scheduler_only(all[0], all[2]));
  EXPECT_FALSE(differ_in_scheduler_only(all[0], all[1]));
  EXPECT_FALSE(differ_in_scheduler_only(all[0], all[3]));
  all[1].settings["param.n"] = "64";
  const LaunchDistinction distinction(all);
  EXPECT_TRUE(distinction.any());
  EXPECT_EQ(distinction.of(all[0]), "core.sms=1");
  EXPECT_EQ(distinction.of(all[1]), "core.sms=8 param.n=64");
  EXPECT_EQ(distinction.of(all[3]), "");
  EXPECT_FALSE(LaunchDistinction({all[0], all[2], all[3]}).any());
}

TEST(BoundBy, IsTheLargestGroupUnlessMostIsIssued) {
  EXPECT_EQ(bound(slots(&SlotShares::issued, 0.6)), "issue");
  EXPECT_EQ(bound(slots(&SlotShares::shared, 0.3)), "shared memory");
  EXPECT_EQ(bound(slots(&SlotShares::arithmetic, 0.3)), "arithmetic");
  EXPECT_EQ(bound(slots(&SlotShares::barrier, 0.3)), "barriers");
  EXPECT_EQ(bound(slots(&SlotShares::fetch, 0.3)), "instruction fetch");
  EXPECT_EQ(bound(slots(&SlotShares::no_warp, 0.3)), "too few warps");
  EXPECT_EQ(bound(slots(&SlotShares::policy, 0.3)), "the policy");
  SlotShares nearly = slots(&SlotShares::issued, 0.59);
  nearly.barrier = 0.11;
  EXPECT_EQ(bound(nearly), "barriers");
}

TEST(BoundBy, TellsMemoryApart) {
  const SlotShares memory = slots(&SlotShares::memory, 0.3);
  EXPECT_EQ(bound(memory, 0.6, 1), "DRAM bandwidth");
  EXPECT_EQ(bound(memory, 0.59, 0.75), "LD/ST unit: mshr");
  EXPECT_EQ(bound(memory, 0.59, 0.74), "memory latency");
  EXPECT_EQ(bound(slots(&SlotShares::barrier, 0.3), 0.9, 0.9), "barriers");
}

TEST(SchedulerClass, BeginsAtThreePercent) {
  EXPECT_EQ(scheduler_class(1030, 1000), "GTO-friendly");
  EXPECT_EQ(scheduler_class(1029, 1000), "neutral");
  EXPECT_EQ(scheduler_class(1000, 1029), "neutral");
  EXPECT_EQ(scheduler_class(1000, 1030), "RR-friendly");
}

TEST(Behaviours, BeginAtTheirThresholds) {
  MeasuredLaunch launch;
  EXPECT_EQ(behaviours(launch), Names());
  launch.lines_per_access = 2;
  launch.barrier_wait = 0.19;
  launch.rtru = 0.09;
  EXPECT_EQ(behaviours(launch), Names{"coherent"});
  launch.lines_per_access = 2.01;
  launch.barrier_wait = 0.2;
  launch.rtru = 0.1;
  EXPECT_EQ(behaviours(launch), (Names{"divergent", "barrier-bound", "unequal warps"}));
}

}  // namespace
}  // namespace heddle
