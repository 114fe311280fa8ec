#include "top/reproduction/figures/headline.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Headline headline(double paper, bool gain, std::optional<double> full,
                  std::optional<double> quick = std::nullopt) {
  static HeadlineDefinition definition;
  definition.paper = paper;
  definition.gain = gain;
  return {&definition, full, quick};
}

TEST(Headline, AGainMayMissAThird) {
  EXPECT_EQ(headline(1.12, true, 1.0801).closeness(), Closeness::kWithinAThird);
  EXPECT_EQ(headline(1.12, true, 1.0799).closeness(), Closeness::kFurther);
  EXPECT_EQ(headline(1.12, true, 1.1599).closeness(), Closeness::kWithinAThird);
  EXPECT_EQ(headline(1.12, true, 1.1601).closeness(), Closeness::kFurther);
  EXPECT_NEAR(*headline(1.12, true, 1.06).share_of_gain(), 0.5, 1e-12);
}

TEST(Headline, ANumberMayBeAThirdOff) {
  EXPECT_EQ(headline(0.9, false, 0.61).closeness(), Closeness::kWithinAThird);
  EXPECT_EQ(headline(0.9, false, 0.59).closeness(), Closeness::kFurther);
  EXPECT_EQ(headline(0.9, false, 0.8).share_of_gain(), std::nullopt);
  EXPECT_NEAR(*headline(0.8, false, 0.4).ratio(), 0.5, 1e-12);
}

TEST(Headline, TheFullSizeGoesBeforeTheQuickOne) {
  EXPECT_EQ(headline(1.12, true, 1.1, 1.3).ours(), 1.1);
  EXPECT_EQ(headline(1.12, true, std::nullopt, 1.3).ours(), 1.3);
  EXPECT_EQ(headline(1.12, true, std::nullopt).closeness(), Closeness::kUnknown);
}

FigureTable one_row(const char* label) {
  FigureTable table;
  table.series = {{"s", ""}};
  table.rows = {{label}};
  table.cells = {{1.5}};
  return table;
}

TEST(PaperResults, AQuickTableGoesBeforeAFullOneWithoutHalfOfItsValues) {
  PaperResults results;
  FigureTable& full = results.figures["figure_4"][kFullSize];
  full.series = {{"s", ""}};
  full.rows = {{"a"}, {"b"}, {"c"}, {"d"}};
  full.cells = {{1.5}, {2.5}, std::vector<std::optional<double>>(1), std::vector<std::optional<double>>(1)};
  EXPECT_EQ(results.size_of("figure_4"), kFullSize);
  results.figures["figure_4"][kQuickSize] = one_row("a");
  EXPECT_EQ(results.size_of("figure_4"), kFullSize) << "a half";
  full.cells[1][0].reset();
  EXPECT_EQ(results.size_of("figure_4"), kQuickSize);
  EXPECT_EQ(results.table("figure_4"), results.table("figure_4", kQuickSize));
  results.figures["figure_4"].erase(kQuickSize);
  EXPECT_EQ(results.size_of("figure_4"), kFullSize) << "what there is";
}

TEST(PaperResults, KeepTheirNumbersInJson) {
  PaperResults results;
  results.experiments["e"][kQuickSize] = {4, 2, {"workload a: deadlock"}, 12.4, 3.4};
  FigureTable& table = results.figures["figure_1"][kQuickSize];
  table.series = {{"s", ""}};
  table.rows = {{"a"}};
  table.cells = {{1.5}};
  const PaperResults back = PaperResults::of(results.json());
  EXPECT_EQ(back.json(), results.json());
  EXPECT_EQ(back.experiments.at("e").at(kQuickSize).failed, std::vector<std::string>{"workload a: deadlock"});
  EXPECT_EQ(back.experiments.at("e").at(kQuickSize).longest_seconds, 3);
  EXPECT_EQ(back.table("figure_1")->value("a", "s"), 1.5);
}

}  // namespace
}  // namespace heddle
