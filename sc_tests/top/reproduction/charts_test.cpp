#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "top/reproduction/charts/figure_chart.h"
#include "top/reproduction/charts/svg.h"
#include "top/reproduction/charts/value_axis.h"

namespace heddle {
namespace {

/// A bar as it was drawn.
struct Drawn {
  std::string hint;
  double x = 0;
  double y = 0;
  double height = 0;
};

std::vector<Drawn> bars_of(const std::string& svg) {
  static const std::regex kBar(
      "<rect x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" width=\"[-0-9.]+\" height=\"([-0-9.]+)\" "
      "fill=\"[^\"]*\"><title>([^<]*)</title>");
  std::vector<Drawn> bars;
  for (std::sregex_iterator bar(svg.begin(), svg.end(), kBar), end; bar != end; ++bar)
    bars.push_back({(*bar)[4], std::stod((*bar)[1]), std::stod((*bar)[2]), std::stod((*bar)[3])});
  return bars;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

FigureTable table_of(std::vector<FigureTable::Series> series,
                     std::vector<std::vector<std::optional<double>>> cells) {
  FigureTable table;
  table.series = std::move(series);
  for (std::size_t r = 0; r < cells.size(); ++r)
    table.rows.push_back({std::string(1, static_cast<char>('A' + r))});
  table.cells = std::move(cells);
  return table;
}

TEST(BarChart, ABarIsAsHighAsItsValue) {
  const FigureTable table = table_of({{"s", ""}, {"t", ""}}, {{1.0, 2.0}, {0.5, std::nullopt}});
  const std::vector<Drawn> bars = bars_of(draw_bars({"title", table, {}}));
  ASSERT_EQ(bars.size(), 3U);
  EXPECT_EQ(bars[0].hint, "A, s: 1.000");
  EXPECT_NEAR(bars[1].height, 2 * bars[0].height, 0.2);
  EXPECT_NEAR(bars[2].height, 0.5 * bars[0].height, 0.2);
  EXPECT_GT(bars[1].x, bars[0].x);
  EXPECT_GT(bars[2].x, bars[1].x);
  EXPECT_NEAR(bars[0].y + bars[0].height, bars[1].y + bars[1].height, 0.2);
}

TEST(BarChart, PartsOfABarLieOnEachOther) {
  const FigureTable table =
      table_of({{"G, a", "G"}, {"G, b", "G"}, {"P, a", "P"}, {"P, b", "P"}}, {{1.0, 2.0, 3.0, 1.0}});
  const std::string svg = draw_bars({"title", table, {}});
  const std::vector<Drawn> bars = bars_of(svg);
  ASSERT_EQ(bars.size(), 4U);
  EXPECT_EQ(bars[0].x, bars[1].x);
  EXPECT_NEAR(bars[1].y + bars[1].height, bars[0].y, 0.2);
  EXPECT_GT(bars[2].x, bars[0].x);
  EXPECT_EQ(count_of(svg, ">a</text>"), 1U) << "a legend entry for each part, not for each bar";
  EXPECT_EQ(count_of(svg, ">G</text>"), 1U);
}

TEST(BarChart, ThePapersNumberIsAMarkOfItsOwn) {
  const FigureTable table = table_of({{"s", ""}}, {{1.0}, {2.0}});
  const std::vector<PaperNumber> paper{{{}, "A", "s", 2.0, PaperBound::kExact, "IV"},
                                       {{}, "B", "s", 1.5, PaperBound::kAtLeast, "4.1"},
                                       {{}, "Z", "s", 9.0, PaperBound::kExact, "IV"}};
  const std::string svg = draw_bars({"title", table, paper});
  EXPECT_EQ(count_of(svg, "<title>the paper (section IV): 2.000</title>"), 1U);
  EXPECT_EQ(count_of(svg, "<title>the paper (section 4.1): at least 1.500</title>"), 1U);
  EXPECT_EQ(count_of(svg, "the paper (section"), 2U) << "a number of a row that is not there is not drawn";
  EXPECT_EQ(count_of(svg, "the paper's number"), 1U);
  EXPECT_EQ(count_of(draw_bars({"title", table, {}}), "the paper's number"), 0U);
}

TEST(LineChart, ALineForEachSeriesThroughItsValues) {
  FigureTable table = table_of({{"s", ""}, {"t", ""}}, {{1.0, 2.0}, {2.0, std::nullopt}, {4.0, 1.0}});
  table.rows = {{"32"}, {"64"}, {"96"}};
  table.row_heading = "entries";
  const std::vector<PaperNumber> paper{{{}, "64", "s", 3.0, PaperBound::kExact, "5.5"}};
  const std::string svg = draw_lines({"title", table, paper});
  EXPECT_EQ(count_of(svg, "<polyline"), 2U);
  EXPECT_EQ(count_of(svg, "<circle"), 5U);
  EXPECT_EQ(count_of(svg, "the paper (section 5.5): 3.000"), 1U);
  EXPECT_EQ(count_of(svg, ">entries</text>"), 1U);
}

TEST(ValueAxis, HasRoundStepsThatHoldAllValues) {
  const ValueAxis axis({1.94, 0.9}, 0, 100);
  EXPECT_DOUBLE_EQ(axis.place(0), 100);
  EXPECT_DOUBLE_EQ(axis.place(2), 0);
  EXPECT_DOUBLE_EQ(axis.place(1), 50);
  const ValueAxis below({-1, 3}, 0, 100);
  EXPECT_DOUBLE_EQ(below.place(-1), 100);
  EXPECT_DOUBLE_EQ(below.place(3), 0);
}

TEST(ShownValue, IsShort) {
  EXPECT_EQ(shown_value(1.1204, FigureFormat::kRatio), "1.120");
  EXPECT_EQ(shown_value(99.9, FigureFormat::kRatio), "99.900");
  EXPECT_EQ(shown_value(660.96, FigureFormat::kRatio), "661");
  EXPECT_EQ(shown_value(0.4567, FigureFormat::kPercent), "45.7%");
  EXPECT_EQ(shown_value(276470, FigureFormat::kCount), "276,470");
  EXPECT_EQ(shown_value(-1234567, FigureFormat::kCount), "-1,234,567");
  EXPECT_EQ(shown_value(12.5, FigureFormat::kCount), "12.50");
  EXPECT_EQ(shown_value(12, FigureFormat::kCount), "12");
}

TEST(Svg, TextsAreEscaped) {
  Svg svg(10, 10, "a < b & \"c\"");
  svg.text(0, 0, "x > y");
  EXPECT_NE(svg.str().find("<title>a &lt; b &amp; &quot;c&quot;</title>"), std::string::npos);
  EXPECT_NE(svg.str().find(">x &gt; y</text>"), std::string::npos);
}

}  // namespace
}  // namespace heddle
