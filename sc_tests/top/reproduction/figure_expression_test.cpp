#include "top/reproduction/definition/figure_expression.h"

#include <gtest/gtest.h>

#include <map>

namespace heddle {
namespace {

std::optional<double> evaluate(const std::string& text, const std::map<std::string, double>& values = {}) {
  return FigureExpression(text).evaluate([&](const FigureExpression::Reference& reference) {
    const std::string name = reference.coordinate ? reference.point + "[" + reference.name + "]"
                                                  : reference.point + "." + reference.name;
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional<double>(found->second);
  });
}

std::string expression_error(const std::string& text) {
  try {
    const FigureExpression expression(text);
  } catch (const FigureExpressionError& error) {
    return error.what();
  }
  return "";
}

TEST(FigureExpression, KnowsTheOrderOfOperations) {
  EXPECT_EQ(evaluate("2 + 3 * 4 - 8 / 2"), 10);
  EXPECT_EQ(evaluate("(2 + 3) * 4"), 20);
  EXPECT_EQ(evaluate("8 - 3 - 2"), 3);
  EXPECT_EQ(evaluate("8 / 4 / 2"), 1);
  EXPECT_EQ(evaluate("min(3, 1 + 1, 5) * max(2, 7)"), 14);
}

TEST(FigureExpression, AsksForFiguresAndCoordinatesOfPoints) {
  EXPECT_EQ(evaluate("gto.sm.l1d.hits / pro.cycles", {{"gto.sm.l1d.hits", 6}, {"pro.cycles", 3}}), 2);
  EXPECT_EQ(evaluate("swl[scheduler.swl.warps] + 1", {{"swl[scheduler.swl.warps]", 4}}), 5);
  const FigureExpression expression("a.x + b[y.z]");
  ASSERT_EQ(expression.references().size(), 2U);
  EXPECT_EQ(expression.references()[0].name, "x");
  EXPECT_FALSE(expression.references()[0].coordinate);
  EXPECT_EQ(expression.references()[1].name, "y.z");
  EXPECT_TRUE(expression.references()[1].coordinate);
}

TEST(FigureExpression, TakesTheFirstThatIsThere) {
  const std::map<std::string, double> values{{"a.x", 2}, {"b.x", 5}};
  EXPECT_EQ(evaluate("first(a.x, b.x)", values), 2);
  EXPECT_EQ(evaluate("first(c.x, b.x) * 2", values), 10);
  EXPECT_EQ(evaluate("first(a.x / 0, c.x + 1, b.x + 1)", values), 6);
  EXPECT_EQ(evaluate("first(c.x, d.x)", values), std::nullopt);
}

TEST(FigureExpression, APointMayBeCalledMin) { EXPECT_EQ(evaluate("min.cycles", {{"min.cycles", 2}}), 2); }

TEST(FigureExpression, HasNoValueWithoutWhatItNeeds) {
  EXPECT_EQ(evaluate("a.x + 1"), std::nullopt);
  EXPECT_EQ(evaluate("a.x / b.x", {{"a.x", 1}, {"b.x", 0}}), std::nullopt);
}

TEST(FigureExpression, NamesThePlaceOfAnError) {
  EXPECT_EQ(expression_error("1 + * 2"),
            "'1 + * 2', place 5: expected a number, a point's figure or '(', found '*'");
  EXPECT_EQ(expression_error("(1 + 2"), "'(1 + 2', place 7: expected ')', found the end");
  EXPECT_EQ(expression_error("gto"), "'gto', place 4: expected '.', found the end");
  EXPECT_EQ(expression_error("gto.x y"), "'gto.x y', place 7: expected an operator or the end, found 'y'");
  EXPECT_NE(expression_error(std::string(500, '(')), "");
}

TEST(FigureExpression, TheAxisValueTakesItsPlaceEverywhere) {
  EXPECT_EQ(with_axis_value("a.age{x}.n / a.age{x}.m", "12"), "a.age12.n / a.age12.m");
  EXPECT_EQ(with_axis_value("a.n", "12"), "a.n");
}

}  // namespace
}  // namespace heddle
