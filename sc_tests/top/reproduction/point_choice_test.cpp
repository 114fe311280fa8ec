#include "top/reproduction/points/point_choice.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "sc_tests/top/reproduction/made_up_points.h"
#include "top/support/results.h"

namespace heddle {
namespace {

using test::made_up_point;

/// Three limits of warps, the middle one with the fewest cycles, and another workload.
ResultPoints limits() {
  return {made_up_point({{"workload", "atax"}, {"warps", "1"}}, {{"cycles", 300}}),
          made_up_point({{"workload", "atax"}, {"warps", "2"}}, {{"cycles", 100}}),
          made_up_point({{"workload", "atax"}, {"warps", "4"}}, {{"cycles", 200}}),
          made_up_point({{"workload", "bfs"}, {"warps", "2"}}, {{"cycles", 50}})};
}

TEST(PointChoice, TakesThePointWithAllCoordinates) {
  const auto points = limits();
  EXPECT_EQ(choose_point(points, {"", {{"workload", "atax"}, {"warps", "4"}}, ""}, ""), &points[2]);
  EXPECT_EQ(choose_point(points, {"", {{"workload", "atax"}, {"warps", "3"}}, ""}, ""), nullptr);
  EXPECT_EQ(choose_point(points, {"", {{"size", "atax"}}, ""}, ""), nullptr);
}

TEST(PointChoice, NumbersAreEqualHoweverTheyAreWritten) {
  const auto points = limits();
  EXPECT_EQ(choose_point(points, {"", {{"workload", "atax"}, {"warps", "4.0"}}, ""}, ""), &points[2]);
}

TEST(ResultPoints, AreFoundInTheirOrderByAnyCoordinates) {
  ResultPoints points = limits();
  const auto found = [&points](const std::map<std::string, std::string>& where) {
    std::vector<std::string> cycles;
    for (const ResultPoint* const point : points.matching(where))
      cycles.push_back(std::to_string(static_cast<int>(point->figures.at("cycles").value)));
    return cycles;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(found({}), (Texts{"300", "100", "200", "50"}));
  EXPECT_EQ(found({{"warps", "2"}}), (Texts{"100", "50"}));
  EXPECT_EQ(found({{"warps", "2.0"}, {"workload", "bfs"}}), Texts{"50"});
  EXPECT_EQ(found({{"warps", "1"}, {"workload", "bfs"}}), Texts{});
  EXPECT_EQ(found({{"size", "1"}}), Texts{});
  points.push_back(made_up_point({{"workload", "bfs"}, {"warps", "2e0"}}, {{"cycles", 40}}));
  EXPECT_EQ(found({{"workload", "bfs"}, {"warps", "2"}}), (Texts{"50", "40"}));
}

TEST(PointChoice, SeveralPointsAreAnError) {
  const auto points = limits();
  EXPECT_THROW(choose_point(points, {"", {{"workload", "atax"}}, ""}, ""), ResultsError);
}

TEST(PointChoice, TheBestHasTheFewestCycles) {
  auto points = limits();
  const PointChoice best{"", {{"workload", "atax"}}, "warps"};
  EXPECT_EQ(choose_point(points, best, ""), &points[1]);
  points[1].complete = false;
  EXPECT_EQ(choose_point(points, best, ""), &points[2]);
}

TEST(PointChoice, OfAKernelItsOwnCyclesCount) {
  auto points = limits();
  points[0].kernels["rows"]["cycles"] = {10, true};
  points[1].kernels["rows"]["cycles"] = {20, true};
  EXPECT_EQ(choose_point(points, {"", {{"workload", "atax"}}, "warps"}, "rows"), &points[0]);
}

TEST(PointChoice, WhatIsNotCompleteIsNotThere) {
  auto points = limits();
  points[2].complete = false;
  EXPECT_EQ(choose_point(points, {"", {{"workload", "atax"}, {"warps", "4"}}, ""}, ""), nullptr);
}

TEST(ResultPoint, LaunchesOfAKernelAddTheirCountsUp) {
  FigureValues sum{
      {"cycles", {10, true}}, {"rate", {0.5, false}}, {"once", {1, true}}, {"share", {0.3, false}}};
  add_launch(sum, {{"cycles", {5, true}}, {"rate", {0.7, false}}, {"share", {0.3, false}}});
  ASSERT_EQ(sum.size(), 2U);
  EXPECT_EQ(sum.at("cycles").value, 15);
  EXPECT_EQ(sum.at("share").value, 0.3) << "what does not add up is known when it is the same in all";
}

}  // namespace
}  // namespace heddle
