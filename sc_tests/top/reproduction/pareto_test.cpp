#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "top/reproduction/custom/custom_figure.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

class ParetoTest : public ::testing::Test {
 protected:
  ParetoTest() {
    figure_.name = "Figure 1";
    figure_.title = "of a test";
    figure_.experiment = "e";
    figure_.by = "pareto";
    figure_.points["base"].where = {{"scheduler", "gto"}, {"contention", "none"}};
    figure_.rows = {{"a", {"a"}, "", "", {}}, {"b", {"b"}, "", "", {}}};
    figure_.with = {{"keys", "scheduler contention"}, {"cost", "cost.nand2_per_sm"}};
    run("gto", "none", 1000, {100, 100}, {10, 10});
    run("lrr", "none", 100, {200, 200}, {12, 12});      // cheaper, half as fast
    run("pro", "none", 5000, {100, 25}, {5, 10});       // twice as fast in the mean
    run("pro", "dueling", 6000, {100, 100}, {10, 10});  // dearer and slower than pro
  }
  void run(const std::string& scheduler, const std::string& contention, double cost,
           std::array<double, 2> cycles, std::array<double, 2> energy) {
    for (std::size_t i = 0; i < 2; ++i) {
      ResultPoint point;
      point.coordinates = {
          {"workload", i == 0 ? "a" : "b"}, {"scheduler", scheduler}, {"contention", contention}};
      point.complete = true;
      point.figures["cycles"] = {cycles[i], true};
      point.figures["energy"] = {energy[i], false};
      point.figures["cost.nand2_per_sm"] = {cost, false};
      results_["e"].push_back(point);
    }
  }
  FigureTable evaluate() { return make_custom_figure(figure_)->evaluate(figure_, results_); }

  FigureDefinition figure_;
  PaperPoints results_;
};

TEST_F(ParetoTest, TheFrontHasWhatNothingCheaperIsAsFastAs) {
  const FigureTable table = evaluate();
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0].label, "lrr");
  EXPECT_EQ(table.rows[1].label, "gto");
  EXPECT_EQ(table.rows[2].label, "pro");
  EXPECT_DOUBLE_EQ(table.value("lrr", "speed-up").value(), 0.5);
  EXPECT_NEAR(table.value("pro", "speed-up").value(), 2, 1e-12);
  EXPECT_NEAR(table.value("pro", "energy").value(), std::sqrt(0.5), 1e-12);
  EXPECT_DOUBLE_EQ(table.value("pro", "NAND2-equivalents").value(), 5000);
  EXPECT_EQ(table.extra.size(), 4U);
  EXPECT_THAT(make_custom_figure(figure_)->draw(figure_, FigureTable::of(table.json())),
              HasSubstr("pro, dueling: 6,000 NAND2, 1.000 times as fast"));
}

TEST_F(ParetoTest, ABudgetBuysTheFastestThatItPays) {
  figure_.with["budgets"] = "50 999 1000 100000";
  const FigureTable table = evaluate();
  ASSERT_EQ(table.rows.size(), 3U) << "nothing is to be had for 50";
  EXPECT_EQ(table.rows[0].label, "999: lrr");
  EXPECT_EQ(table.rows[1].label, "1,000: gto");
  EXPECT_EQ(table.rows[2].label, "100,000: pro");
}

TEST_F(ParetoTest, ACombinationWithoutOneOfTheRunsIsLeftOut) {
  results_["e"][4].complete = false;  // pro on a
  EXPECT_EQ(evaluate().rows.size(), 2U);
  results_["e"][0].complete = false;  // the base on a: only b is compared
  EXPECT_NEAR(evaluate().value("pro", "speed-up").value(), 4, 1e-12);
}

}  // namespace
}  // namespace heddle
