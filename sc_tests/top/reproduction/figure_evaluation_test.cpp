#include "top/reproduction/figures/figure_evaluation.h"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cmath>

#include "sc_tests/top/reproduction/made_up_points.h"
#include "top/reproduction/definition/figure_loader.h"

namespace heddle {
namespace {

using test::made_up_point;

FigureDefinition figure(const std::string& yaml) {
  SharedDefinitions shared;
  shared.points["gto"] = {"", {{"scheduler", "gto"}}, ""};
  shared.points["pro"] = {"", {{"scheduler", "pro"}}, ""};
  return load_figure(YAML::Load("{figure: 1, title: T, experiment: e, " + yaml + "}"), "test.yaml", shared);
}

ResultPoint run(const std::string& workload, const std::string& scheduler, double cycles) {
  return made_up_point({{"workload", workload}, {"scheduler", scheduler}}, {{"cycles", cycles}});
}

TEST(FigureEvaluation, ARowOfEachBenchmarkAndWhatTheyComeTo) {
  const PaperPoints points{{"e",
                            {run("a", "gto", 200), run("a", "pro", 100), run("b", "gto", 80),
                             run("b", "pro", 160), run("c", "gto", 1000), run("c", "pro", 995)}}};
  const FigureTable table = evaluate_figure(
      figure("rows: [{label: A, workload: a, group: x}, {label: B, workload: b, group: y}, {label: C, "
             "workload: c, group: x},"
             " {label: D, workload: d}], series: [{name: s, value: gto.cycles / pro.cycles}],"
             " summary: [{label: mean, fold: geometric_mean}, {label: x, fold: most, groups: [x]},"
             " {label: above, fold: above}, {label: level, fold: level}, {label: below, fold: below}]"),
      points);
  ASSERT_EQ(table.rows.size(), 8U) << "no point is of D";
  EXPECT_EQ(table.value("A", "s"), 2);
  EXPECT_EQ(table.value("B", "s"), 0.5);
  EXPECT_NEAR(*table.value("mean", "s"), std::cbrt(2 * 0.5 * 1000 / 995), 1e-12);
  EXPECT_EQ(table.value("x", "s"), 2);
  EXPECT_EQ(table.value("above", "s"), 1);
  EXPECT_EQ(table.value("level", "s"), 1);
  EXPECT_EQ(table.value("below", "s"), 1);
  EXPECT_TRUE(table.rows[3].summary);
  EXPECT_FALSE(table.rows[3].counts);
  EXPECT_TRUE(table.rows[5].counts);
  EXPECT_EQ(table.filled(), 3U);
}

/// Two workloads under two numbers of entries.
PaperPoints entries() {
  PaperPoints points;
  for (const auto& [workload, entries, cycles] : std::vector<std::tuple<std::string, std::string, double>>{
           {"a", "32", 100}, {"a", "64", 50}, {"b", "32", 400}, {"b", "64", 800}}) {
    points["e"].push_back(made_up_point({{"workload", workload}, {"scheduler", "gto"}, {"mshr", entries}},
                                        {{"cycles", cycles}}));
  }
  return points;
}

TEST(FigureEvaluation, AMissingPointLeavesItsCellEmpty) {
  PaperPoints points{
      {"e", {run("a", "gto", 200), run("a", "pro", 100), run("b", "gto", 80), run("b", "pro", 160)}}};
  points["e"][3].complete = false;
  points["e"][3].status = "deadlock";
  const FigureDefinition means = figure(
      "rows: [{label: A, workload: a}, {label: B, workload: b}], series: [{name: s, value: gto.cycles / "
      "pro.cycles}], summary: [{label: mean, fold: geometric_mean}]");
  FigureTable table = evaluate_figure(means, points);
  EXPECT_EQ(table.value("B", "s"), std::nullopt);
  EXPECT_EQ(table.value("mean", "s"), 2) << "of what there is: no more will come";
  EXPECT_EQ(table.filled(), 1U);
  EXPECT_EQ(table.size(), 2U);
  points["e"][3].status = "not run";
  table = evaluate_figure(means, points);
  EXPECT_EQ(table.value("A", "s"), 2);
  EXPECT_EQ(table.value("mean", "s"), std::nullopt) << "it would change with what is to come";
}

TEST(FigureEvaluation, AFoldWaitsForAllPointsOfItsRows) {
  PaperPoints points = entries();
  const FigureDefinition axis = figure(
      "rows: [{label: A, workload: a}, {label: B, workload: b}], axis: {label: entries, key: mshr, values: "
      "[32, 64]}, fold: sum, series: [{name: s, value: gto.cycles}]");
  points["e"][3].complete = false;
  points["e"][3].status = "not run";
  const FigureTable table = evaluate_figure(axis, points);
  EXPECT_EQ(table.value("32", "s"), 500);
  EXPECT_EQ(table.value("64", "s"), std::nullopt);
  const FigureDefinition best = figure(
      "rows: [{label: A, workload: a}, {label: B, workload: b}], points: {best: {scheduler: gto, best_over: "
      "mshr}}, series: [{name: s, value: best.cycles}], summary: [{label: sum, fold: sum}]");
  EXPECT_EQ(evaluate_figure(best, entries()).value("sum", "s"), 50 + 400);
  const FigureTable open = evaluate_figure(best, points);
  EXPECT_EQ(open.value("B", "s"), 400) << "the best so far";
  EXPECT_EQ(open.value("sum", "s"), std::nullopt);
}

TEST(FigureEvaluation, OverSeveralWorkloadsCountsAddUpAndNothingElse) {
  PaperPoints points{{"e", {run("a", "gto", 200), run("b", "gto", 50)}}};
  for (ResultPoint& point : points["e"]) point.figures["rate"] = {0.5, false};
  const FigureTable table =
      evaluate_figure(figure("rows: [{label: both, workloads: [a, b]}], series: [{name: cycles, value: "
                             "gto.cycles}, {name: rate, value: gto.rate}]"),
                      points);
  EXPECT_EQ(table.value("both", "cycles"), 250);
  EXPECT_EQ(table.value("both", "rate"), std::nullopt);
}

TEST(FigureEvaluation, OfAKernelItsLaunches) {
  PaperPoints points{{"e", {run("a", "gto", 200)}}};
  points["e"][0].kernels["k"]["cycles"] = {70, true};
  const FigureTable table =
      evaluate_figure(figure("rows: [{label: K, workload: a, kernel: k}, {label: L, workload: a, kernel: "
                             "l}], series: [{name: c, value: gto.cycles}]"),
                      points);
  EXPECT_EQ(table.value("K", "c"), 70);
  EXPECT_EQ(table.value("L", "c"), std::nullopt);
}

TEST(FigureEvaluation, BarsOfPartsAreSeriesThatLieOnEachOther) {
  const PaperPoints points{{"e", {run("a", "gto", 200), run("a", "pro", 100)}}};
  const FigureTable table = evaluate_figure(
      figure("rows: [{label: A, workload: a}], bars: [{name: G, point: gto}, {name: P, point: pro}],"
             " parts: [{name: one, value: it.cycles}, {name: two, value: 2 * it.cycles}]"),
      points);
  ASSERT_EQ(table.series.size(), 4U);
  EXPECT_EQ(table.value("A", "P, two"), 200);
  EXPECT_EQ(table.series[1].bar, "G");
  EXPECT_EQ(table.series[2].bar, "P");
}

TEST(FigureEvaluation, OnAnAxisTheRowsAreFolded) {
  const FigureTable table = evaluate_figure(figure("rows: [{label: A, workload: a}, {label: B, workload: "
                                                   "b}], axis: {label: entries, key: mshr, values: [32, 64]},"
                                                   " fold: most, points: {base: {scheduler: gto, mshr: 32}}, "
                                                   "series: [{name: s, value: base.cycles / gto.cycles}]"),
                                            entries());
  EXPECT_EQ(table.row_heading, "entries");
  ASSERT_EQ(table.series.size(), 1U);
  EXPECT_EQ(table.value("32", "s"), 1);
  EXPECT_EQ(table.value("64", "s"), 2) << "the base's own coordinate goes before the axis's value";
}

TEST(FigureEvaluation, OnAnAxisEachRowIsASeries) {
  const std::string rows =
      "rows: [{label: A, workload: a}, {label: B, workload: b}], axis: {label: entries, key: mshr, "
      "values: [32, 64]}, series: [{name: s, value: gto.cycles}]";
  const FigureTable table = evaluate_figure(figure(rows), entries());
  ASSERT_EQ(table.series.size(), 2U);
  EXPECT_EQ(table.value("64", "B"), 800);
  const FigureTable both = evaluate_figure(figure(rows + ", fold: sum, each_row: true"), entries());
  ASSERT_EQ(both.series.size(), 3U);
  EXPECT_EQ(both.value("64", "B"), 800);
  EXPECT_EQ(both.value("64", "s"), 850);
}

TEST(FigureEvaluation, AnAxisWithoutAKeyStandsInTheExpression) {
  const PaperPoints points{
      {"e", {made_up_point({{"workload", "a"}, {"scheduler", "gto"}}, {{"age0.n", 5}, {"age1.n", 3}})}}};
  const FigureTable table =
      evaluate_figure(figure("rows: [{label: A, workload: a}], axis: {label: age, from: 0, to: 2}, fold: sum,"
                             " series: [{name: n, value: 'gto.age{x}.n'}]"),
                      points);
  EXPECT_EQ(table.value("1", "n"), 3);
  EXPECT_EQ(table.value("2", "n"), std::nullopt);
}

TEST(FigureEvaluation, SharesAddUpAlongAnAxis) {
  const PaperPoints points{
      {"e",
       {made_up_point({{"workload", "a"}, {"scheduler", "gto"}},
                      {{"age0.n", 5}, {"age1.n", 0}, {"age2.n", 15}}),
        made_up_point({{"workload", "b"}, {"scheduler", "gto"}}, {{"age0.n", 5}, {"age2.n", 1}})}}};
  const std::string axis =
      "axis: {label: age, from: 0, to: 2, running_share: true}, series: [{name: n, value: 'gto.age{x}.n'}]";
  const FigureTable table = evaluate_figure(figure("rows: [{label: A, workload: a}], " + axis), points);
  EXPECT_EQ(table.value("0", "A"), 0.25);
  EXPECT_EQ(table.value("1", "A"), 0.25);
  EXPECT_EQ(table.value("2", "A"), 1);
  const FigureTable open = evaluate_figure(figure("rows: [{label: B, workload: b}], " + axis), points);
  EXPECT_EQ(open.value("0", "B"), std::nullopt) << "one of three is missing: nobody knows the sum";
}

TEST(FigureEvaluation, APointOfAnotherExperimentAndTheCoordinateThatWasBest) {
  PaperPoints points{{"e", {run("a", "gto", 200)}}};
  points["limits"] = {made_up_point({{"workload", "a"}, {"warps", "2"}}, {{"cycles", 90}}),
                      made_up_point({{"workload", "a"}, {"warps", "4"}}, {{"cycles", 80}})};
  const FigureTable table = evaluate_figure(
      figure("rows: [{label: A, workload: a}], points: {swl: {experiment: limits, best_over: warps}},"
             " series: [{name: s, value: gto.cycles / swl.cycles}, {name: w, value: 'swl[warps]'}]"),
      points);
  EXPECT_EQ(table.value("A", "s"), 2.5);
  EXPECT_EQ(table.value("A", "w"), 4);
}

TEST(FigureTable, KeepsItsNumbersInJson) {
  FigureTable table;
  table.row_heading = "age";
  table.series = {{"a", ""}, {"G, b", "G"}};
  table.rows = {{"x"}, {"mean", true}, {"count", true, true}};
  table.cells = {{1.23456789, std::nullopt}, {2, 3}, {4, 5e9}};
  const FigureTable back = FigureTable::of(table.json());
  EXPECT_EQ(back.json(), table.json());
  EXPECT_EQ(back.value("x", "a"), 1.23457);
  EXPECT_EQ(back.value("x", "G, b"), std::nullopt);
  EXPECT_EQ(back.value("count", "G, b"), 5e9);
  EXPECT_TRUE(back.rows[2].counts);
  EXPECT_EQ(back.series[1].bar, "G");
}

}  // namespace
}  // namespace heddle
