#include "top/report/logs/tb_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "top/report/metrics/derived_metrics.h"
#include "top/support/project_files.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

using nlohmann::json;

struct LoggedRun {
  LoggedRun(const std::string& workload, const std::map<std::string, std::int64_t>& parameters,
            std::vector<std::string> assignments, std::uint64_t max_cycles = 0) {
    assignments.emplace_back("core.sms=2");
    const LoadedConfig loaded = load_config(ProjectFiles().config("warpman"), assignments);
    const std::unique_ptr<Gpu> gpu = build_gpu(loaded, {});
    TbLog tb_log(*gpu);
    HostProgram program(load_workload(ProjectFiles().workload(workload)), parameters);
    Host host("host", *gpu, program, {max_cycles, [&tb_log](const ProgressState&) {
                                        tb_log.sample();
                                        return false;
                                      }});
    result = host.run();
    tb_log.sample();
    const bool complete = result.end == RunEnd::kComplete;
    if (complete) {
      for (const CheckResult& check : program.check()) EXPECT_TRUE(check.passed) << check.message();
    }
    log = json::parse(tb_log.json(complete));
    const TotalView totals(host.registry(), result.values);
    rtru_geometric = derived_metric("rtru_geometric", {totals, result.cycles, gpu->config()}).value_or(-1);
    texture_misses = totals.count("sm.texture.misses");
    rtru = derived_metric("rtru", {totals, result.cycles, gpu->config()}).value_or(-1);
  }
  const json& tbs() const { return log["launches"][0]["tbs"]; }
  /// Most TBs that an SM held at once.
  unsigned peak() const {
    unsigned peak = 0;
    for (const json& at : tbs()) {
      unsigned resident = 0;
      for (const json& other : tbs()) {
        resident +=
            other["sm"] == at["sm"] && other["start"] <= at["start"] && other["end"] > at["start"] ? 1 : 0;
      }
      peak = std::max(peak, resident);
    }
    return peak;
  }
  RunResult result;
  json log;
  std::uint64_t texture_misses = 0;
  double rtru = 0;
  double rtru_geometric = 0;
};

LoggedRun figure_1(const std::string& management, std::uint64_t max_cycles = 0) {
  return {
      "long_warp", {{"tbs", 40}, {"rounds", 300}}, {"core.resources.management=" + management}, max_cycles};
}

// WarpMan, section 2.
TEST(TbLogTest, ByTbAnSmHoldsFourBlocksOfFigure1) { EXPECT_EQ(figure_1("tb").peak(), 4U); }
TEST(TbLogTest, WithWarpManItHoldsEight) { EXPECT_EQ(figure_1("warp_temporal_spatial").peak(), 8U); }

// What the warp slots of SM 0 issued in all intervals is what its warps issued in their lives.
TEST(TbLogTest, TheIssuePatternHasTheInstructionsOfTheFirstSm) {
  const LoggedRun run = figure_1("warp_temporal_spatial");
  std::uint64_t of_lives = 0;
  for (const json& tb : run.tbs()) {
    for (const json& warp : tb["warps"]) of_lives += tb["sm"] == 0 ? warp[2].get<std::uint64_t>() : 0;
  }
  std::uint64_t of_slots = 0;
  const json& pattern = run.log["issue_pattern"];
  for (const json& slot : pattern["warps"]) {
    for (const json& count : slot) of_slots += count.get<std::uint64_t>();
    EXPECT_LE(slot.size(), run.result.cycles / pattern["interval"].get<Cycle>() + 1);
  }
  EXPECT_GT(of_lives, 10000U);
  EXPECT_EQ(of_slots, of_lives);
  EXPECT_EQ(run.log["policy_intervals"], json::array()) << "the policy samples nothing";
}

TEST(TbLogTest, TellsTheLivesOfWarps) {
  const LoggedRun run = figure_1("warp_temporal_spatial");
  ASSERT_EQ(run.tbs().size(), 40U);
  Cycle unused = 0;
  Cycle whole = 0;
  double rtru_sum = 0;
  double rtru_log_sum = 0;
  for (const json& tb : run.tbs()) {
    ASSERT_EQ(tb["warps"].size(), 8U);
    Cycle longest = 0;
    Cycle sum = 0;
    for (const json& warp : tb["warps"]) {
      const Cycle life = warp[1].get<Cycle>() - warp[0].get<Cycle>();
      longest = std::max(longest, life);
      sum += life;
      EXPECT_LE(tb["start"], warp[0]);
      EXPECT_GE(tb["end"], warp[1]);
    }
    EXPECT_GT(tb["warps"][0][2], 900U);  // three instructions a round
    EXPECT_LT(tb["warps"][1][2], 30U);
    EXPECT_NEAR(tb["rtru"].get<double>(), 1 - static_cast<double>(sum) / (8.0 * static_cast<double>(longest)),
                1e-6);
    rtru_sum += tb["rtru"].get<double>();
    rtru_log_sum += std::log(tb["rtru"].get<double>());
    unused += 8 * longest - sum;
    whole += 8 * longest;
  }
  EXPECT_EQ(run.log["status"], "complete");
  const json& launch = run.log["launches"][0];
  EXPECT_EQ(launch["tbs_ended"], 40);
  EXPECT_EQ(launch["tbs_running"], 0);
  EXPECT_EQ(launch["tbs_above_zero"], 40) << "every TB has seven short warps";
  EXPECT_NEAR(launch["rtru_mean"].get<double>(), rtru_sum / 40, 1e-6);
  EXPECT_NEAR(launch["rtru_geometric_mean"].get<double>(), std::exp(rtru_log_sum / 40), 1e-6);
  EXPECT_NEAR(launch["rtru"].get<double>(), static_cast<double>(unused) / static_cast<double>(whole), 1e-6);
  EXPECT_NEAR(launch["rtru"].get<double>(), run.rtru, 1e-6);
  EXPECT_NEAR(launch["rtru_geometric_mean"].get<double>(), run.rtru_geometric, 2e-6);
  const json& bins = launch["warps_by_instructions"]["warps"];
  EXPECT_EQ(bins[0], 7U * 40);
  std::uint64_t warps = 0;
  for (const json& bin : bins) warps += bin.get<std::uint64_t>();
  EXPECT_EQ(warps, 8U * 40);
}

TEST(TbLogTest, EachBlockOfAnSmHasASlotOfItsOwn) {
  const LoggedRun run = figure_1("tb");
  std::set<std::pair<unsigned, unsigned>> first_places;
  for (unsigned tb = 0; tb < 8; ++tb) {
    EXPECT_EQ(run.tbs()[tb]["tb"], tb);
    first_places.emplace(run.tbs()[tb]["sm"], run.tbs()[tb]["slot"]);
  }
  const std::set<std::pair<unsigned, unsigned>> all{{0, 0}, {0, 1}, {0, 2}, {0, 3},
                                                    {1, 0}, {1, 1}, {1, 2}, {1, 3}};
  EXPECT_EQ(first_places, all);
}

// The long warps issue 900 instructions, each after the one before.
TEST(TbLogTest, BlocksOfARunThatWasCutOffAreRunning) {
  const LoggedRun run = figure_1("tb", 900);
  EXPECT_EQ(run.log["status"], "partial");
  const json& launch = run.log["launches"][0];
  EXPECT_EQ(launch["tbs_running"], 8);
  EXPECT_EQ(launch["tbs_ended"], 0);
  EXPECT_EQ(launch["rtru"], 0);
  EXPECT_EQ(launch["tbs_above_zero"], 0);
  EXPECT_TRUE(launch["tbs"].empty());
}

TEST(TbLogTest, SharesOfAllocationAreThoseOfTheResidentBlocks) {
  const LoggedRun run = figure_1("tb");
  // Four blocks have all registers and 32 of 48 warp slots, whatever their warps do.
  const json& sample = run.log["allocation"][1];
  EXPECT_NEAR(sample["registers"].get<double>(), 1, 0.02);
  EXPECT_NEAR(sample["warp_slots"].get<double>(), 32.0 / 48, 0.02);
  EXPECT_EQ(sample["shared_memory"], 0);
}

TEST(TbLogTest, WhatWarpsHaveGivenBackIsNotAllocated) {
  const LoggedRun run = figure_1("warp_temporal_spatial");
  // Eight blocks, of each of which the long warp is left: 8 x 1,024 of 32,768 registers, 8 of 48 warp slots.
  const json& sample = run.log["allocation"][3];
  EXPECT_NEAR(sample["warps"].get<double>(), 8, 0.1);
  EXPECT_NEAR(sample["registers"].get<double>(), 0.25, 0.01);
  EXPECT_NEAR(sample["warp_slots"].get<double>(), 8.0 / 48, 0.01);
}

// Every look-up that misses is a warp's: those of all lives are those of the caches.
TEST(TbLogTest, TextureMissesOfWarpsAreThoseOfTheCaches) {
  const LoggedRun run("convolution_texture", {{"width", 64}, {"height", 24}}, {});
  std::uint64_t misses = 0;
  for (const json& launch : run.log["launches"]) {
    for (const json& tb : launch["tbs"]) {
      for (const json& warp : tb["warps"]) misses += warp[3].get<std::uint64_t>();
    }
  }
  EXPECT_GT(misses, 10U);
  EXPECT_EQ(misses, run.texture_misses);
}

TEST(TbLogTest, TellsWhatTheStructureOfTheGridPredicts) {
  const LoggedRun run = figure_1("tb");
  const json& sms = run.log["launches"][0]["sms"];
  ASSERT_EQ(sms.size(), 2U);
  EXPECT_EQ(sms[0]["tbs"].get<unsigned>() + sms[1]["tbs"].get<unsigned>(), 40U);
  for (const json& sm : sms) {
    EXPECT_EQ(sm["residency"], 4);
    // Blocks of equal length, five rounds of them.
    EXPECT_NEAR(sm["staircase_cycles"].get<double>() / sm["span_cycles"].get<double>(), 1, 0.2);
  }
}

}  // namespace
}  // namespace heddle
