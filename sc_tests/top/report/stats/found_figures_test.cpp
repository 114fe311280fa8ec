#include "top/report/stats/found_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "top/support/results.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FoundFiguresTest : public ::testing::Test {
 protected:
  FoundFiguresTest()
      : folder_(std::filesystem::temp_directory_path() / ("heddle-figures-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    write("a-gto",
          R"({"format": 2, "end": "complete", "workload": "atax", "size": "large", "scheduler": "gto",
      "metrics": {"cycles": 100, "dram_utilization": null, "sm.l1d": {"loads": 7, "hits": 3}},
      "launches": [{"id": 0, "kernel": "first", "metrics": {"cycles": 40, "sm.l1d": {"loads": 5}}},
                   {"id": 1, "kernel": "second", "metrics": {"cycles": 60, "sm.l1d": {"loads": 2}}}],
      "instances": {"sm.l1d": {"block": ["sm0.l1d", "sm1.l1d"], "loads": [4, 3], "hits": [3, null]}},
      "definitions": {"cycles": ["cycles", "count", "core cycles"],
                      "sm.l1d": {"loads": ["accesses", "count", "loads looked up"]}}})");
    write("b-lrr", R"({"format": 2, "end": "complete", "workload": "atax", "size": "", "scheduler": "lrr",
      "metrics": {"cycles": 200, "sm.l1d": {"loads": 7}}, "launches": [], "instances": {}, "definitions": {}})");
  }
  ~FoundFiguresTest() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& run, const std::string& stats) const {
    std::filesystem::create_directories(folder_ / run);
    std::ofstream(folder_ / run / "stats.json") << stats;
  }
  /// What is found, as "a-gto cycles=100 cycles".
  std::vector<std::string> found(const std::vector<std::string>& patterns,
                                 StatsOptions::Of of = StatsOptions::Of::kRuns) const {
    std::vector<std::string> lines;
    for (const FoundFigure& figure : find_figures({{folder_.string()}, patterns, of, {}})) {
      std::string line = std::filesystem::path(figure.run).filename().string();
      if (figure.launch) line += " " + std::to_string(*figure.launch) + " " + figure.kernel;
      if (!figure.block.empty()) line += " " + figure.block;
      lines.push_back(line + " " + figure.metric + "=" + figure.value.dump());
    }
    return lines;
  }
  std::string refusal(const std::vector<std::string>& patterns) const {
    try {
      found(patterns);
    } catch (const ResultsError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
};

TEST_F(FoundFiguresTest, FiguresOfEachRunInTheirOrder) {
  EXPECT_THAT(found({}),
              ElementsAre("a-gto cycles=100", "a-gto dram_utilization=null", "a-gto sm.l1d.loads=7",
                          "a-gto sm.l1d.hits=3", "b-lrr cycles=200", "b-lrr sm.l1d.loads=7"));
}

TEST_F(FoundFiguresTest, PatternsChooseByFullName) {
  EXPECT_THAT(found({"sm.l1d.*"}),
              ElementsAre("a-gto sm.l1d.loads=7", "a-gto sm.l1d.hits=3", "b-lrr sm.l1d.loads=7"));
  EXPECT_THAT(found({"*.hits", "cycle?"}),
              ElementsAre("a-gto cycles=100", "a-gto sm.l1d.hits=3", "b-lrr cycles=200"));
}

TEST_F(FoundFiguresTest, OfLaunchesWithTheirKernels) {
  EXPECT_THAT(found({"cycles"}, StatsOptions::Of::kLaunches),
              ElementsAre("a-gto 0 first cycles=40", "a-gto 1 second cycles=60"));
}

// A block has no figure where its kind has none for it.
TEST_F(FoundFiguresTest, OfBlocksByTheirKindsNameOrTheirOwn) {
  EXPECT_THAT(found({"sm.l1d.*"}, StatsOptions::Of::kBlocks),
              ElementsAre("a-gto sm0.l1d sm.l1d.loads=4", "a-gto sm0.l1d sm.l1d.hits=3",
                          "a-gto sm1.l1d sm.l1d.loads=3"));
  EXPECT_THAT(found({"sm1.*"}, StatsOptions::Of::kBlocks), ElementsAre("a-gto sm1.l1d sm.l1d.loads=3"));
}

TEST_F(FoundFiguresTest, WhatFiguresMeanStandsBesideThem) {
  const FoundFigure loads = find_figures({{(folder_ / "a-gto").string()}, {"sm.l1d.loads"}, {}, {}})[0];
  EXPECT_EQ(loads.workload, "atax:large");
  EXPECT_EQ(loads.scheduler, "gto");
  EXPECT_EQ(loads.unit, "accesses");
  EXPECT_EQ(loads.description, "loads looked up");
}

TEST_F(FoundFiguresTest, APatternThatNothingIsCalledByIsAnError) {
  EXPECT_EQ(refusal({"cycles", "cycels"}), "no figure is called 'cycels'; did you mean 'cycles'?");
  EXPECT_EQ(refusal({"l2.*"}), "no figure is called 'l2.*'");
}

TEST_F(FoundFiguresTest, DamagedResultsAreNamed) {
  write("c", R"({"format": 2, "end": "complete", "workload": "w"})");
  EXPECT_THAT(refusal({}), HasSubstr("/c/stats.json: not as this version writes it: "));
  write("c", R"({"format": 1})");
  EXPECT_THAT(refusal({}), HasSubstr("/c/stats.json"));
  write(
      "c",
      R"({"format": 2, "end": "complete", "workload": "w", "size": "", "scheduler": "gto", "metrics": {"cycles": [1, 2]},
    "definitions": {}})");
  EXPECT_THAT(refusal({"cycles"}), HasSubstr("'cycles' is array, expected a figure"));
}

}  // namespace
}  // namespace heddle
