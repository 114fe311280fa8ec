#include "top/reproduction/figures/taken_run.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// With figure 4, of the points of one experiment.
PaperDefinition definition_of_figure_4() {
  PaperDefinition paper;
  FigureDefinition& figure = paper.figures.emplace_back();
  figure.name = "Figure 4";
  figure.experiment = "e";
  return paper;
}

/// A table with a value for each of `values`, of `points` of which so many are complete.
PaperResults results_of_figure_4(const std::string& size, const std::vector<double>& values,
                                 std::size_t points, std::size_t complete) {
  PaperResults results;
  FigureTable& table = results.figures["figure_4"][size];
  table.series = {{"s", ""}};
  for (const double value : values) {
    table.rows.push_back({"row " + std::to_string(table.rows.size())});
    table.cells.push_back({value});
  }
  RanExperiment& experiment = results.experiments["e"][size];
  experiment.points = points;
  experiment.complete = complete;
  return results;
}

TEST(TakenRun, LeavesWhatItDoesNotHave) {
  PaperResults results = results_of_figure_4(kFullSize, {1, 2}, 2, 2);
  EXPECT_TRUE(
      take_run(results, results_of_figure_4(kQuickSize, {3}, 1, 1), definition_of_figure_4()).empty());
  EXPECT_EQ(results.table("figure_4")->cells[0][0], 1);
  EXPECT_EQ(results.table("figure_4", kQuickSize)->cells[0][0], 3);
  EXPECT_EQ(results.size_of("figure_4"), kFullSize);
  EXPECT_EQ(results.size_of("figure_5"), "");
  EXPECT_EQ(results.experiments["e"][kFullSize].points, 2U);
}

TEST(TakenRun, WithFewerValuesForWantOfPointsReplacesNothing) {
  PaperResults results = results_of_figure_4(kFullSize, {1, 2, 3}, 3, 3);
  const std::vector<KeptFigure> kept =
      take_run(results, results_of_figure_4(kFullSize, {9}, 3, 1), definition_of_figure_4());
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].name, "Figure 4");
  EXPECT_EQ(kept[0].values, 3U);
  EXPECT_EQ(kept[0].in_run, 1U);
  EXPECT_EQ(results.table("figure_4")->cells[0][0], 1);
  EXPECT_EQ(results.experiments["e"][kFullSize].complete, 3U);
}

TEST(TakenRun, WithAsManyValuesReplacesThem) {
  PaperResults results = results_of_figure_4(kFullSize, {1, 2}, 3, 2);
  EXPECT_TRUE(
      take_run(results, results_of_figure_4(kFullSize, {8, 9}, 3, 2), definition_of_figure_4()).empty());
  EXPECT_EQ(results.table("figure_4")->cells[0][0], 8);
}

TEST(TakenRun, OfFewerPointsAllOfWhichAreCompleteReplacesMore) {
  PaperResults results = results_of_figure_4(kFullSize, {1, 2, 3}, 3, 3);
  EXPECT_TRUE(take_run(results, results_of_figure_4(kFullSize, {9}, 1, 1), definition_of_figure_4()).empty());
  EXPECT_EQ(results.table("figure_4")->rows.size(), 1U);
  EXPECT_EQ(results.experiments["e"][kFullSize].points, 1U);
}

}  // namespace
}  // namespace heddle
