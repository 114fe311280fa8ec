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

/// Figure 4 with benchmarks as rows and a sum.
PaperDefinition definition_with_rows() {
  PaperDefinition paper = definition_of_figure_4();
  for (const char* const label : {"A", "B", "C"}) paper.figures[0].rows.push_back({label, {}, "", "", {}});
  paper.figures[0].summary.push_back({"sum", Fold::kSum, {}});
  return paper;
}

struct RowValues {
  std::string label;
  std::vector<std::optional<double>> values;
  bool open = false;  ///< a point of it was not run
};

PaperResults results_with_rows(const std::vector<RowValues>& rows, std::size_t complete) {
  PaperResults results;
  FigureTable& table = results.figures["figure_4"][kFullSize];
  table.series = {{"s0", ""}, {"s1", ""}};
  for (const RowValues& row : rows) {
    table.rows.push_back({row.label});
    table.cells.push_back(row.values);
    table.open.emplace_back(row.values.size(), row.open);
  }
  RanExperiment& experiment = results.experiments["e"][kFullSize];
  experiment.points = 6;
  experiment.complete = complete;
  return results;
}

/// As a file has it: it knows of no open cells, but has sums.
PaperResults kept_rows(std::optional<double> second_sum = 6) {
  PaperResults results = results_with_rows({{"A", {1, 2}}, {"B", {3, 4}}, {"C", {5, std::nullopt}}}, 5);
  FigureTable& table = results.figures["figure_4"][kFullSize];
  table.open.clear();
  table.rows.push_back({"sum", true});
  table.cells.push_back({9, second_sum});
  return results;
}

TEST(TakenRun, RowsOfWhichAllPointsAreThereReplaceTheirs) {
  PaperResults results = kept_rows();
  const std::vector<KeptFigure> kept = take_run(
      results, results_with_rows({{"A", {100, 7}, true}, {"B", {30, 40}}}, 3), definition_with_rows());
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].rows, std::vector<std::string>{"B"});
  EXPECT_EQ(kept[0].values, 5U);
  const FigureTable& table = *results.table("figure_4");
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.value("A", "s0"), 1) << "of A a point is missing";
  EXPECT_EQ(table.value("B", "s0"), 30);
  EXPECT_EQ(table.value("C", "s0"), 5);
  EXPECT_EQ(table.value("sum", "s0"), 1 + 30 + 5);
  EXPECT_EQ(table.value("sum", "s1"), 2 + 40) << "C's point had failed, and the sum was without it";
  EXPECT_EQ(results.experiments["e"][kFullSize].complete, 5U);
}

TEST(TakenRun, ARowThatHasLostAValueReplacesNothing) {
  PaperResults results = kept_rows();
  const std::vector<KeptFigure> kept =
      take_run(results, results_with_rows({{"B", {30, std::nullopt}}}, 3), definition_with_rows());
  EXPECT_TRUE(kept.at(0).rows.empty());
  EXPECT_EQ(results.table("figure_4")->value("B", "s0"), 3);
  EXPECT_EQ(results.table("figure_4")->value("sum", "s0"), 9);
}

TEST(TakenRun, ASumStillWaitsForARowThatHasNoValueYet) {
  PaperResults results = kept_rows(std::nullopt);
  take_run(results, results_with_rows({{"B", {30, 40}}}, 3), definition_with_rows());
  EXPECT_EQ(results.table("figure_4")->value("sum", "s0"), 36);
  EXPECT_EQ(results.table("figure_4")->value("sum", "s1"), std::nullopt);
}

TEST(TakenRun, RowsOfOtherSeriesReplaceNothing) {
  PaperResults results = kept_rows();
  PaperResults run = results_with_rows({{"B", {30, 40}}}, 3);
  run.figures["figure_4"][kFullSize].series[1].name = "another";
  EXPECT_TRUE(take_run(results, run, definition_with_rows()).at(0).rows.empty());
  EXPECT_EQ(results.table("figure_4")->value("B", "s0"), 3);
}

/// Figure 4 by the values of an axis.
PaperDefinition definition_with_axis() {
  PaperDefinition paper = definition_of_figure_4();
  paper.figures[0].axis.emplace();
  paper.figures[0].axis->values = {"32", "48", "64"};
  return paper;
}

/// Also when the run has more values than were there.
TEST(TakenRun, ValuesOfAnAxisOfWhichAllPointsAreThereReplaceTheirs) {
  PaperResults results = results_with_rows({{"32", {1, 2}}, {"48", {{}, {}}}, {"64", {{}, {}}}}, 2);
  results.figures["figure_4"][kFullSize].open.clear();
  const std::vector<KeptFigure> kept =
      take_run(results, results_with_rows({{"32", {9, {}}, true}, {"48", {3, 4}}, {"64", {5, 6}}}, 4),
               definition_with_axis());
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].rows, (std::vector<std::string>{"48", "64"}));
  const FigureTable& table = *results.table("figure_4");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.value("32", "s0"), 1);
  EXPECT_EQ(table.value("32", "s1"), 2);
  EXPECT_EQ(table.value("48", "s0"), 3);
  EXPECT_EQ(table.value("64", "s1"), 6);
}

/// A sum up to each value over the sum of all is another one when other values are there.
TEST(TakenRun, RunningSharesAreOfOneRun) {
  PaperDefinition paper = definition_with_axis();
  paper.figures[0].axis->running_share = true;
  PaperResults results = results_with_rows({{"32", {0.5, 0.5}}, {"48", {1, 1}}}, 4);
  EXPECT_TRUE(take_run(results, results_with_rows({{"32", {1, 1}}}, 2), paper).at(0).rows.empty());
  EXPECT_EQ(results.table("figure_4")->value("32", "s0"), 0.5);
}

}  // namespace
}  // namespace heddle
