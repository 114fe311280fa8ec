#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "top/reproduction/custom/custom_figure.h"

namespace heddle {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// Of a launch on SM 0 with two places: six thread blocks, the first of two warps.
json log_of(const std::vector<std::pair<int, int>>& lives) {
  json tbs = json::array();
  for (std::size_t i = 0; i < lives.size(); ++i) {
    const auto [start, end] = lives[i];
    const json warps = {{start, end, 1200, 3}, {start, start + (end - start) / 2, 400, 0}};
    tbs.push_back({{"tb", i},
                   {"sm", 0},
                   {"slot", i % 2},
                   {"start", start},
                   {"end", end},
                   {"rtru", 0.25},
                   {"warps", warps}});
  }
  const json sm = {{"sm", 0},
                   {"tbs", lives.size()},
                   {"residency", 2},
                   {"span_cycles", 300},
                   {"active_cycles", 300},
                   {"staircase_cycles", 330},
                   {"regression_cycles", 270},
                   {"slicing_cycles", 150},
                   {"once_cycles", 600}};
  const json launch = {{"launch", 0},
                       {"kernel", "k"},
                       {"rtru_geometric_mean", 0.2},
                       {"warps_by_instructions", {{"bin", 500}, {"warps", {6, 0, 6}}}},
                       {"sms", {sm}},
                       {"tbs", tbs}};
  const json interval = {{"kind", "hand_off"}, {"launch", 0}, {"sm", 0}, {"start", 10}, {"end", 50}};
  return {{"launches", {launch}}, {"policy_intervals", {interval}}};
}

class LogFigures : public ::testing::Test {
 protected:
  LogFigures() {
    figure_.name = "Figure 1";
    figure_.title = "of a test";
    figure_.experiment = "e";
    figure_.points["run"].where = {};
    figure_.rows.push_back({"row", {"w"}, "k", "group", {}});
    ResultPoint point;
    point.coordinates = {{"workload", "w"}};
    point.complete = true;
    point.status = "complete";
    point.details["thread_blocks"] =
        log_of({{0, 100}, {0, 110}, {100, 200}, {110, 210}, {200, 290}, {210, 300}});
    results_["e"].push_back(point);
  }
  FigureTable evaluate(const std::string& by) {
    figure_.by = by;
    return make_custom_figure(figure_)->evaluate(figure_, results_);
  }
  std::string draw(const FigureTable& table) { return make_custom_figure(figure_)->draw(figure_, table); }

  FigureDefinition figure_;
  PaperPoints results_;
};

TEST_F(LogFigures, StaircaseHasBothModelsOverTheTruth) {
  const FigureTable table = evaluate("staircase");
  EXPECT_DOUBLE_EQ(table.value("linear regression", "predicted over true").value(), 0.9);
  EXPECT_DOUBLE_EQ(table.value("staircase", "predicted over true").value(), 1.1);
  EXPECT_EQ(table.extra.at("ends"), (nlohmann::ordered_json{100, 110, 200, 210, 290, 300}));
  const std::string picture = draw(FigureTable::of(table.json()));
  EXPECT_THAT(picture, HasSubstr("thread blocks of SM 0"));
  EXPECT_THAT(picture, HasSubstr("cycles 100 to 200"));
}

TEST_F(LogFigures, StaircaseWithoutItsPointIsEmpty) {
  results_.clear();
  EXPECT_TRUE(evaluate("staircase").rows.empty());
}

TEST_F(LogFigures, WarpLivesCountFromTheBlocksStart) {
  figure_.with = {{"tb", "2"}};
  const FigureTable table = evaluate("warp_lives");
  EXPECT_DOUBLE_EQ(table.value("warp 0", "last cycle").value(), 100);
  EXPECT_DOUBLE_EQ(table.value("warp 1", "last cycle").value(), 50);
  EXPECT_DOUBLE_EQ(table.value("RTRU", "of the thread block").value(), 0.25);
  EXPECT_DOUBLE_EQ(table.value("RTRU", "geometric mean").value(), 0.2);
  EXPECT_THAT(draw(table), HasSubstr("warp 1: cycles 0 to 50, 400 instructions"));
}

TEST_F(LogFigures, TextureMissesArePerThousandInstructions) {
  const FigureTable table = evaluate("texture_misses");
  EXPECT_DOUBLE_EQ(table.value("warp 0", "misses per 1000 instructions").value(), 2.5);
  EXPECT_DOUBLE_EQ(table.value("warp 1", "misses per 1000 instructions").value(), 0);
}

TEST_F(LogFigures, InstructionsPerWarpAreShares) {
  const FigureTable table = evaluate("instructions_per_warp");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[2].label, "(1000, 1500]");
  EXPECT_DOUBLE_EQ(table.cells[2][0].value(), 0.5);
  EXPECT_DOUBLE_EQ(table.cells[1][0].value(), 0);
}

TEST_F(LogFigures, BoxesOfDurationsAreOverTheMean) {
  figure_.with = {{"kind", "durations"}};
  const FigureTable table = evaluate("log_boxes");  // 100 110 100 100 90 90: mean 590 / 6
  EXPECT_DOUBLE_EQ(table.value("row", "least").value(), 90 * 6 / 590.0);
  EXPECT_DOUBLE_EQ(table.value("row", "most").value(), 110 * 6 / 590.0);
  EXPECT_DOUBLE_EQ(table.value("row", "count").value(), 6);
  EXPECT_THAT(draw(FigureTable::of(table.json())), HasSubstr("median 1.017"));
}

TEST_F(LogFigures, BoxesOfPredictionsAreByGroup) {
  figure_.with = {{"kind", "structure"}};
  const FigureTable structure = evaluate("log_boxes");
  EXPECT_DOUBLE_EQ(structure.value("group", "regression, median").value(), 0.9);
  EXPECT_DOUBLE_EQ(structure.value("group", "staircase, median").value(), 1.1);
  figure_.with = {{"kind", "slicing"}};
  const FigureTable slicing = evaluate("log_boxes");
  EXPECT_DOUBLE_EQ(slicing.value("group", "slices, median").value(), 0.5);
  EXPECT_DOUBLE_EQ(slicing.value("group", "once, median").value(), 2);
}

TEST_F(LogFigures, AnUnknownKindIsAnError) {
  figure_.with = {{"kind", "lengths"}};
  EXPECT_THROW(evaluate("log_boxes"), WorkloadError);
}

TEST_F(LogFigures, DurationsHaveMeanAndDeviation) {
  const FigureTable table = evaluate("tb_durations");
  EXPECT_DOUBLE_EQ(table.value("row", "run time").value(), 300);
  EXPECT_DOUBLE_EQ(table.value("row", "mean t").value(), 590 / 6.0);
  // Squares of the distances from 98.33: 2.78 x 3, 136.11, 69.44 x 2.
  EXPECT_NEAR(table.value("row", "relative deviation").value(), std::sqrt(283.33 / 6) / 98.333, 1e-4);
}

TEST_F(LogFigures, ResidentBlocksAreTheMostAtOnce) {
  const FigureTable table = evaluate("resident_tbs");
  EXPECT_DOUBLE_EQ(table.value("row", "run").value(), 2)
      << "a block that ends makes room for one that starts";
}

TEST_F(LogFigures, TimelineAddsUpWhatThePolicySpent) {
  results_["e"][0].figures["multiprogram.strict_f"] = {0.75, false};
  const FigureTable table = evaluate("dispatch_timeline");
  EXPECT_DOUBLE_EQ(table.value("run", "cycles").value(), 300);
  EXPECT_DOUBLE_EQ(table.value("run", "StrictF").value(), 0.75);
  EXPECT_FALSE(table.value("run", "STP")) << "the point has none";
  EXPECT_DOUBLE_EQ(table.value("run", "handed over, all SMs").value(), 40);
  EXPECT_DOUBLE_EQ(table.value("run", "sampled").value(), 0);
  EXPECT_THAT(draw(FigureTable::of(table.json())),
              HasSubstr("SM waits for room (hand-off): cycles 10 to 50"));
}

}  // namespace
}  // namespace heddle
