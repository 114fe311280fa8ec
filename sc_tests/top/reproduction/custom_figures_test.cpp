#include <gtest/gtest.h>

#include "sc_tests/top/reproduction/made_up_points.h"
#include "top/reproduction/custom/custom_figure.h"

namespace heddle {
namespace {

using test::made_up_point;

FigureDefinition figure_by(const std::string& by) {
  FigureDefinition figure;
  figure.name = "Figure 2";
  figure.title = "T";
  figure.experiment = "blocks";
  figure.by = by;
  return figure;
}

TEST(CustomFigures, AnUnknownNameIsAnErrorAtItsPlace) {
  FigureDefinition figure = figure_by("tb_interval");
  figure.mark = {"figures.yaml", 3, 5};
  try {
    make_custom_figure(figure);
    FAIL();
  } catch (const WorkloadError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("figures.yaml:3:5: Figure 2, by: there is no figure 'tb_interval'; did you mean "
                        "'tb_intervals'?"),
              std::string::npos)
        << error.what();
  }
}

TEST(TbOrder, NumbersTheBlocksAsTheyComeToTheSm) {
  FigureDefinition figure = figure_by("tb_order");
  figure.points["run"] = {"", {{"scheduler", "pro"}}, ""};
  figure.with["places"] = "3";
  ResultPoint point = made_up_point({{"scheduler", "pro"}}, {});
  // Blocks 0, 14 and 28 come first, then 30 in the place of 0; the second SM is another matter.
  point.details = nlohmann::json::parse(R"({"instances": {
    "sm.pro.sort0": {"block": ["sm0.pro.sort0", "sm1.pro.sort0"], "cycle": [1000, 1000], "place0": [0, 1], "place1": [28, 2], "place2": [14, 3]},
    "sm.pro.sort1": {"block": ["sm0.pro.sort1", "sm1.pro.sort1"], "cycle": [2000, 2000], "place0": [14, 1], "place1": [30, 2], "place2": [-1, 3]},
    "sm.pro.sort2": {"block": ["sm0.pro.sort2"], "cycle": [-1], "place0": [-1], "place1": [-1], "place2": [-1]}}})");
  const FigureTable table = make_custom_figure(figure)->evaluate(figure, {{"blocks", {point}}});
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[1].label, "2000");
  EXPECT_EQ(table.value("1000", "1"), 0);
  EXPECT_EQ(table.value("1000", "2"), 2);
  EXPECT_EQ(table.value("1000", "3"), 1);
  EXPECT_EQ(table.value("2000", "2"), 3);
  EXPECT_EQ(table.value("2000", "3"), std::nullopt);
}

TEST(TbOrder, IsEmptyWithoutItsRun) {
  FigureDefinition figure = figure_by("tb_order");
  figure.points["run"] = {"", {{"scheduler", "pro"}}, ""};
  figure.with["places"] = "3";
  EXPECT_TRUE(make_custom_figure(figure)->evaluate(figure, {}).rows.empty());
}

TEST(TbIntervals, HasTheBlocksOfTheFirstSmByTheirBegins) {
  FigureDefinition figure = figure_by("tb_intervals");
  figure.points["left"] = {"", {{"scheduler", "lrr"}}, ""};
  figure.points["right"] = {"", {{"scheduler", "pro"}}, ""};
  figure.with = {{"left", "LRR"}, {"right", "PRO"}};
  ResultPoint lrr = made_up_point({{"scheduler", "lrr"}}, {});
  lrr.details = nlohmann::json::parse(R"({"thread_blocks": {"launches": [{"tbs": [
    {"sm": 0, "start": 10, "end": 90}, {"sm": 0, "start": 5, "end": 60}, {"sm": 1, "start": 0, "end": 1}]}]}})");
  ResultPoint pro = made_up_point({{"scheduler", "pro"}}, {});
  pro.details = nlohmann::json::parse(
      R"({"thread_blocks": {"launches": [{"tbs": [{"sm": 0, "start": 5, "end": 50}]}]}})");
  const auto custom = make_custom_figure(figure);
  const FigureTable table = custom->evaluate(figure, {{"blocks", {lrr, pro}}});
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.value("0", "LRR, begins"), 5);
  EXPECT_EQ(table.value("0", "LRR, ends"), 60);
  EXPECT_EQ(table.value("1", "LRR, ends"), 90);
  EXPECT_EQ(table.value("0", "PRO, ends"), 50);
  EXPECT_EQ(table.value("1", "PRO, ends"), std::nullopt);
  const std::string svg = custom->draw(figure, table);
  EXPECT_NE(svg.find("thread block 1: cycle 10 to 90"), std::string::npos);
  EXPECT_NE(svg.find(">PRO</text>"), std::string::npos);
}

}  // namespace
}  // namespace heddle
