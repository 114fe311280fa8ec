#include "top/report/summary/compare_report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "top/report/summary/speedup_summary.h"

namespace heddle {
namespace {

using nlohmann::json;

ComparedRun run(const std::string& workload, const std::string& scheduler, double cycles, double ipc) {
  ComparedRun run{workload, scheduler, "", {"sorter"}, {}};
  RunFigures figures;
  figures.complete = true;
  figures.metrics["cycles"] = {cycles, "cycles"};
  figures.metrics["ipc_warp"] = {ipc, "instructions/cycle"};
  run.outcome.figures = figures;
  return run;
}

ComparedRun timed(const std::string& timing, double ipc) {
  ComparedRun result = run("w", "sorter", 100, ipc);
  result.timing = timing;
  return result;
}

TEST(RunFigures, AreWithoutACostThatIsNotKnown) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / ("heddle-figures-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const auto figures_of = [&folder](const std::string& cost) {
    std::ofstream(folder / "stats.json")
        << R"({"format": 2, "status": "complete", "metrics": {}, "definitions": {}, "launches": []})";
    std::ofstream(folder / "cost.json") << cost;
    return read_run_figures(folder.string());
  };
  const auto priced =
      figures_of(R"({"structures": [], "totals": {"bits_per_sm": 7, "nand2_per_sm": {"total": 9.5}}})");
  ASSERT_TRUE(priced);
  EXPECT_TRUE(priced->priced);
  EXPECT_EQ(priced->bits_per_sm, 7U);
  const auto unpriced = figures_of(
      R"({"structures": [], "unpriced": ["x"], "totals": {"bits_per_sm": null, "nand2_per_sm": null}})");
  ASSERT_TRUE(unpriced);
  EXPECT_FALSE(unpriced->priced);
  fs::remove_all(folder);
}

TEST(RunFigures, HaveTheErrorsOfEstimates) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / ("heddle-halves-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "cost.json") << R"({"structures": [], "unpriced": ["x"], "totals": {}})";
  std::ofstream(folder / "stats.json")
      << R"({"format": 2, "status": "complete", "definitions": {}, "launches": [],)"
      << R"("metrics": {"cycles": 100, "sm": {"warps": 8}},)"
      << R"("sampling": {"sampled": true, "half_intervals": {"cycles": 2.5, "sm": {"warps": 0.0}}}})";
  const auto figures = read_run_figures(folder.string());
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->half("cycles"), 2.5);
  EXPECT_EQ(figures->half("sm.warps"), 0);
  EXPECT_FALSE(figures->half("ipc_warp"));
  fs::remove_all(folder);
}

TEST(GeometricMean, NeedsAllValuesAboveZero) {
  EXPECT_DOUBLE_EQ(*geometric_mean({2.0, 8.0}), 4);
  EXPECT_FALSE(geometric_mean({2.0, std::nullopt}));
  EXPECT_FALSE(geometric_mean({2.0, 0.0}));
  EXPECT_FALSE(geometric_mean(std::vector<std::optional<double>>{}));
}

TEST(CompareReport, RatiosAreToTheFirstSchedulerOfEachWorkload) {
  const std::vector<ComparedRun> runs{run("v", "a", 100, 1), run("v", "b", 50, 2), run("w", "a", 300, 4),
                                      run("w", "b", 600, 2)};
  const json rows = json::parse(compare_report(runs, 2, OutputFormat::kJson));
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[1].at("speedup"), 2);
  EXPECT_EQ(rows[3].at("speedup"), 0.5);
  EXPECT_EQ(rows[3].at("cycles"), 600);
  EXPECT_EQ(rows[4].at("workload"), "geometric mean");
  EXPECT_DOUBLE_EQ(rows[4].at("ipc_warp").get<double>(), 2);   // of 1 and 4
  EXPECT_DOUBLE_EQ(rows[5].at("speedup").get<double>(), 1.0);  // of 2 and 1/2
  EXPECT_TRUE(rows[5].at("cycles").is_null());
  EXPECT_EQ(rows[5].at("faster"), 1);
  EXPECT_EQ(rows[5].at("level"), 0);
  EXPECT_EQ(rows[5].at("slower"), 1);
  EXPECT_EQ(rows[4].at("level"), 2);
  EXPECT_TRUE(rows[0].at("faster").is_null());
}

TEST(CompareReport, OnePercentIsATie) {
  std::vector<std::optional<Speedup>> speedups{std::nullopt};
  for (const double value : {1.011, 1.0099, 1.0, 0.9901, 0.989, 0.5})
    speedups.emplace_back(Speedup{value, value, value});
  const SpeedupSummary summary = SpeedupSummary::of(speedups);
  EXPECT_EQ(summary.faster, 1U);
  EXPECT_EQ(summary.level, 3U);
  EXPECT_EQ(summary.slower, 2U);
  EXPECT_FALSE(summary.mean);  // one is not known
}

TEST(RunFigures, HaveTheFewestRoundsOfALaunch) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / ("heddle-rounds-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "cost.json") << R"({"structures": [], "unpriced": ["x"], "totals": {}})";
  const auto rounds_of = [&folder](const std::string& launches) {
    std::ofstream(folder / "stats.json")
        << R"({"format": 2, "status": "complete", "metrics": {}, "definitions": {}, "launches": [)"
        << launches << "]}";
    const auto figures = read_run_figures(folder.string());
    return figures ? figures->tb_rounds : std::optional<double>(-1);
  };
  const auto launch = [](const std::string& rounds) {
    return R"({"metrics": {"x": 0.1, "tb_rounds": )" + rounds + "}}";
  };
  EXPECT_EQ(rounds_of(launch("9.5") + "," + launch("2.25") + "," + launch("4")), 2.25);
  EXPECT_FALSE(rounds_of(""));
  fs::remove_all(folder);
}

TEST(CompareReport, OneWorkloadHasNoMean) {
  const json rows =
      json::parse(compare_report({run("v", "a", 9, 1), run("v", "b", 3, 3)}, 2, OutputFormat::kJson));
  EXPECT_EQ(rows.size(), 2U);
}

TEST(CompareReport, ARunThatDidNotEndHasNoSpeedup) {
  std::vector<ComparedRun> runs{run("v", "a", 100, 1), run("v", "b", 50, 2), run("w", "a", 1, 1),
                                run("w", "b", 1, 1)};
  runs[1].outcome.code = ExitCode::kDeadlock;
  runs[1].outcome.figures->complete = false;
  const json rows = json::parse(compare_report(runs, 2, OutputFormat::kJson));
  EXPECT_EQ(rows[1].at("status"), "deadlock");
  EXPECT_TRUE(rows[1].at("speedup").is_null());
  EXPECT_EQ(rows[1].at("cycles"), 50);
  EXPECT_TRUE(rows[5].at("speedup").is_null());  // nor has the mean
  EXPECT_TRUE(rows[5].at("ipc_warp").is_null());
  EXPECT_EQ(rows[4].at("ipc_warp"), 1);
}

/// With shares of the scheduler cycles.
ComparedRun explained(const std::string& scheduler, double cycles, double issued, double memory,
                      double ldst) {
  ComparedRun result = run("v", scheduler, cycles, 1);
  auto& figures = *result.outcome.figures;
  figures.metrics["scheduler_share_issued"] = {issued, "1"};
  figures.metrics["scheduler_share_scoreboard_memory"] = {memory, "1"};
  figures.metrics["scheduler_share_pipeline_ldst"] = {ldst, "1"};
  figures.priced = true;
  figures.bits_per_sm = 2886;
  figures.nand2_per_sm = 145122.4;
  figures.checks = 2;
  figures.checks_passed = 2;
  return result;
}

TEST(CompareReport, DifferencesByCauseAddUpToTheDifferenceOfTheTimes) {
  const json rows = json::parse(compare_report(
      {explained("a", 100, 0.2, 0.7, 0.1), explained("b", 80, 0.25, 0.5, 0.25)}, 2, OutputFormat::kJson));
  EXPECT_EQ(rows[0].at("stall_1"), "scoreboard_memory");
  EXPECT_EQ(rows[0].at("stall_1_share"), 0.7);
  EXPECT_EQ(rows[0].at("stall_2"), "pipeline_ldst");
  EXPECT_TRUE(rows[0].at("stall_3").is_null());
  EXPECT_TRUE(rows[0].at("why_1").is_null());  // against itself
  EXPECT_EQ(rows[1].at("why_1"), "scoreboard_memory");
  EXPECT_NEAR(rows[1].at("why_1_time_share").get<double>(), 0.5 * 0.8 - 0.7, 1e-12);
  EXPECT_EQ(rows[1].at("why_2"), "pipeline_ldst");
  EXPECT_NEAR(rows[1].at("why_2_time_share").get<double>(), 0.25 * 0.8 - 0.1, 1e-12);
  EXPECT_TRUE(rows[1].at("why_3").is_null());  // as many cycles issue
  EXPECT_NEAR(rows[1].at("why_1_time_share").get<double>() + rows[1].at("why_2_time_share").get<double>(),
              0.8 - 1, 1e-12);
  EXPECT_EQ(rows[1].at("bits_per_sm"), 2886);
  EXPECT_EQ(rows[1].at("nand2_per_sm"), 145122.4);
}

TEST(CompareReport, SaysWhoIsAheadWhyAndAtWhatCost) {
  const std::string text = compare_report(
      {explained("a", 100, 0.2, 0.7, 0.1), explained("b", 80, 0.25, 0.5, 0.25)}, 2, OutputFormat::kMarkdown);
  EXPECT_NE(text.find("b is ahead: 1.25 times as fast as a. Its time differs by -20.0%, most of it: "
                      "scoreboard_memory -30.0%, pipeline_ldst +10.0%. It costs 2,886 bits and 145,122 "
                      "NAND2-equivalents per SM; a costs 2,886 bits"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("The outputs of 2 of 2 runs agree with their references."), std::string::npos) << text;
  std::vector<ComparedRun> unchecked{explained("a", 100, 0.2, 0.7, 0.1), explained("b", 80, 0.25, 0.5, 0.25)};
  unchecked.back().outcome.figures->checks = 0;
  const std::string some = compare_report(unchecked, 2, OutputFormat::kMarkdown);
  EXPECT_NE(
      some.find("The outputs of all 1 runs with references agree with them; 1 others have none or are not "
                "complete."),
      std::string::npos)
      << some;
  const std::string level = compare_report(
      {explained("a", 100, 0.2, 0.7, 0.1), explained("b", 99.5, 0.2, 0.7, 0.1)}, 2, OutputFormat::kMarkdown);
  EXPECT_NE(level.find("None is more than 1% faster than a."), std::string::npos) << level;
}

/// With half the 95% confidence interval of its cycles.
ComparedRun sampled(const std::string& workload, const std::string& scheduler, double cycles, double half) {
  ComparedRun result = run(workload, scheduler, cycles, 100 / cycles);
  result.outcome.figures->sampled = true;
  result.outcome.figures->metrics["cycles"].half = half;
  result.outcome.figures->metrics["ipc_warp"].half = half / cycles;
  return result;
}

TEST(CompareReport, EstimatesHaveTheirErrorBesideThem) {
  const json rows = json::parse(
      compare_report({sampled("v", "a", 100, 10), sampled("v", "b", 80, 20)}, 2, OutputFormat::kJson));
  EXPECT_EQ(rows[1].at("status"), "sampled");
  EXPECT_EQ(rows[1].at("sampling.half.cycles"), 20);
  EXPECT_EQ(rows[1].at("sampling.half.ipc_warp"), 0.25);
  EXPECT_EQ(rows[1].at("speedup"), 1.25);
  EXPECT_EQ(rows[1].at("speedup_low"), 0.9);
  EXPECT_DOUBLE_EQ(rows[1].at("speedup_high").get<double>(), 110.0 / 60);
  const std::string text =
      compare_report({sampled("v", "a", 100, 10), sampled("v", "b", 80, 20)}, 2, OutputFormat::kMarkdown);
  EXPECT_NE(text.find("cycles +/-"), std::string::npos) << text;
  const json whole =
      json::parse(compare_report({run("v", "a", 100, 1), run("v", "b", 80, 1)}, 2, OutputFormat::kJson));
  EXPECT_EQ(whole[1].count("sampling.half.cycles") + whole[1].count("speedup_low"), 0U);
}

std::string verdict_of(const std::vector<ComparedRun>& runs, std::size_t per_workload) {
  return compare_report(runs, per_workload, OutputFormat::kMarkdown);
}

TEST(CompareReport, NobodyIsAheadWhoseIntervalOverlaps) {
  const std::string two = verdict_of({sampled("v", "a", 82295, 16431), sampled("v", "b", 78338, 1957)}, 2);
  EXPECT_NE(
      two.find("b can't be told apart from a (0.82 to 1.29 times as fast): the 95% confidence intervals "
               "of their cycles overlap. Runs without --sample can tell."),
      std::string::npos)
      << two;
  EXPECT_EQ(two.find("ahead"), std::string::npos) << two;
  const std::string three =
      verdict_of({sampled("v", "a", 200, 4), sampled("v", "b", 102, 3), sampled("v", "c", 100, 3)}, 3);
  EXPECT_NE(three.find("c can't be told apart from b (0.96 to 1.08 times as fast): "), std::string::npos)
      << three;
  EXPECT_NE(three.find("It is 2.00 times as fast as a (1.90 to 2.10)."), std::string::npos) << three;
  // The first itself may be the one that nobody is told apart from.
  const std::string first = verdict_of({sampled("v", "a", 100, 3), sampled("v", "b", 104, 3)}, 2);
  EXPECT_NE(first.find("a can't be told apart from b ("), std::string::npos) << first;
}

TEST(CompareReport, NamesThoseWhoAreLevelWithTheOneThatIsAhead) {
  const auto verdict = [](double of_c) {
    return compare_report({run("v", "a", 200, 1), run("v", "b", 100, 2), run("v", "c", of_c, 2)}, 3,
                          OutputFormat::kText);
  };
  EXPECT_NE(verdict(100.9).find("b is ahead: 2.00 times as fast as a."), std::string::npos);
  EXPECT_NE(verdict(100.9).find(" Within 1% of b: c.\n"), std::string::npos) << verdict(100.9);
  EXPECT_EQ(verdict(101.1).find("Within 1% of"), std::string::npos) << verdict(101.1);
}

TEST(CompareReport, WhoseIntervalIsApartIsAhead) {
  const std::string two = verdict_of({sampled("v", "a", 100, 5), sampled("v", "b", 80, 5)}, 2);
  EXPECT_NE(two.find("b is ahead: 1.25 times as fast as a (1.12 to 1.40)."), std::string::npos) << two;
  const std::string first = verdict_of({sampled("v", "a", 80, 5), sampled("v", "b", 100, 5)}, 2);
  EXPECT_NE(first.find("None is more than 1% faster than a."), std::string::npos) << first;
}

TEST(CompareReport, OverSeveralWorkloadsAllAreAtTheSameEnds) {
  const std::vector<ComparedRun> runs{sampled("v", "a", 100, 10), sampled("v", "b", 50, 5),
                                      sampled("w", "a", 100, 50), sampled("w", "b", 90, 45)};
  const json rows = json::parse(compare_report(runs, 2, OutputFormat::kJson));
  EXPECT_DOUBLE_EQ(rows[5].at("speedup_low").get<double>(), std::sqrt(90.0 / 55 * 50 / 135));
  EXPECT_DOUBLE_EQ(rows[5].at("speedup_high").get<double>(), std::sqrt(110.0 / 45 * 150 / 45));
  EXPECT_EQ(rows[5].at("faster"), 1);
  EXPECT_EQ(rows[5].at("level"), 1) << "that of w is open";
  EXPECT_NE(verdict_of(runs, 2).find("b can't be told apart from a ("), std::string::npos);
}

TEST(CompareReport, WrongOutputsAreTold) {
  std::vector<ComparedRun> runs{explained("a", 100, 0.2, 0.7, 0.1), explained("b", 80, 0.25, 0.5, 0.25)};
  runs[1].outcome.figures->checks_passed = 1;
  const std::string text = compare_report(runs, 2, OutputFormat::kMarkdown);
  EXPECT_NE(text.find("held against their references: 1 are wrong"), std::string::npos) << text;
}

TEST(TimingReport, PairsIdealAndHardwareAndReadsThePolicysStatistics) {
  ComparedRun ideal = timed("ideal", 2);
  ComparedRun hardware = timed("hardware", 1.5);
  auto& metrics = hardware.outcome.figures->metrics;
  metrics["sm.warp_instructions"] = {1000, "instructions"};
  metrics["sm.sorter.tb_order.sorts"] = {4, "sorts"};
  metrics["sm.sorter.tb_order.busy_cycles"] = {100, "cycles"};
  metrics["sm.sorter.tb_order.waited"] = {3, "sorts"};
  metrics["sm.scheduler.sorter.sorts"] = {6, "sorts"};
  metrics["sm.scheduler.sorter.busy_cycles"] = {50, "cycles"};
  metrics["sm.sorter.issues_under_stale_tb_order"] = {40, "instructions"};
  metrics["sm.sorter.issues_under_stale_warp_order"] = {250, "instructions"};
  metrics["sm.sorter.queue.busy_cycles"] = {999, "cycles"};  // not of a sorter
  metrics["sm.other.sorts"] = {999, "sorts"};                // of another policy
  ideal.outcome.figures->metrics["sm.sorter.tb_order.sorts"] = {5, "sorts"};
  hardware.outcome.figures->conflicts = {{"sorter/progress", 6}, {"sorter/last", 2}};
  const json report = json::parse(timing_report({ideal, hardware}, OutputFormat::kJson));
  const json& row = report.at("runs").at(0);
  EXPECT_EQ(row.at("ipc_ratio"), 0.75);
  EXPECT_EQ(row.at("sorts"), 10);
  EXPECT_EQ(row.at("cycles_per_sort"), 15);
  EXPECT_EQ(row.at("sorts_waited"), 3);
  EXPECT_EQ(row.at("stale_issue_share"), 0.25);
  EXPECT_EQ(row.at("part_conflicts"), 8);
  EXPECT_EQ(row.at("busiest_part"), "sorter/progress");
  ASSERT_EQ(report.at("policy_statistics").size(), 1U);  // reported in both
  EXPECT_EQ(report.at("policy_statistics").at(0).at("ideal"), 5);
  EXPECT_EQ(report.at("policy_statistics").at(0).at("hardware"), 4);
}

TEST(TimingReport, PeopleSeeTheStatisticsThatTimingChanges) {
  ComparedRun ideal = timed("ideal", 2);
  ComparedRun hardware = timed("hardware", 1.5);
  ideal.outcome.figures->metrics["sm.sorter.same"] = {5, "x"};
  hardware.outcome.figures->metrics["sm.sorter.same"] = {5, "x"};
  ideal.outcome.figures->metrics["sm.sorter.changed"] = {5, "x"};
  hardware.outcome.figures->metrics["sm.sorter.changed"] = {6, "x"};
  const std::string text = timing_report({ideal, hardware}, OutputFormat::kMarkdown);
  EXPECT_NE(text.find("| w | sorter | sm.sorter.changed | x | 5 | 6 |"), std::string::npos) << text;
  EXPECT_EQ(text.find("sm.sorter.same"), std::string::npos) << text;
}

TEST(TimingReport, WhatAPolicyDoesNotReportIsLeftOpen) {
  const json report =
      json::parse(timing_report({timed("ideal", 2), timed("hardware", 2)}, OutputFormat::kJson));
  EXPECT_TRUE(report.at("runs").at(0).at("cycles_per_sort").is_null());
  EXPECT_TRUE(report.at("runs").at(0).at("busiest_part").is_null());
}

}  // namespace
}  // namespace heddle
