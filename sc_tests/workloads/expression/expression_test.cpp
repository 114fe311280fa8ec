#include "workloads/expression/expression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle {
namespace {

Scope sample_scope() {
  Scope scope;
  scope.push("n", 1000);
  scope.push("k", 3);
  return scope;
}

std::int64_t integer(const std::string& text) { return Expression(text).evaluate_integer(sample_scope()); }

double real(const std::string& text) {
  const Number value = Expression(text).evaluate(sample_scope());
  EXPECT_FALSE(value.is_integer) << text;
  return value.real;
}

std::string parse_error(const std::string& text) {
  try {
    Expression expression(text);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "no error";
}

std::string evaluation_error(const std::string& text) {
  try {
    Expression(text).evaluate_integer(sample_scope());
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Expression, FollowsPrecedenceAndAssociativity) {
  EXPECT_EQ(integer("2 + 3 * 4"), 14);
  EXPECT_EQ(integer("(2 + 3) * 4"), 20);
  EXPECT_EQ(integer("20 - 5 - 3"), 12);
  EXPECT_EQ(integer("100 / 5 / 4"), 5);
  EXPECT_EQ(integer("-2 * 3 + 10"), 4);
  EXPECT_EQ(integer("2 - -3"), 5);
  EXPECT_EQ(integer("--4"), 4);
  EXPECT_EQ(integer("1 + 1 == 2"), 1);
}

TEST(Expression, ReadsNamesAndLiterals) {
  EXPECT_EQ(integer("n * k"), 3000);
  EXPECT_EQ(integer("0x1F"), 31);
  EXPECT_EQ(integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(integer("1 + -0x8000000000000000"), std::numeric_limits<std::int64_t>::min() + 1);
  EXPECT_DOUBLE_EQ(real("1.5e-3"), 0.0015);
  EXPECT_DOUBLE_EQ(real(".5"), 0.5);
  EXPECT_DOUBLE_EQ(real("2e3"), 2000.0);
}

TEST(Expression, KeepsIntegersApartFromReals) {
  EXPECT_EQ(integer("7 / 2"), 3);
  EXPECT_EQ(integer("-7 / 2"), -3);
  EXPECT_EQ(integer("-7 % 4"), -3);
  EXPECT_DOUBLE_EQ(real("7 / 2.0"), 3.5);
  EXPECT_DOUBLE_EQ(real("7.5 % 2"), 1.5);
  EXPECT_EQ(integer("floor(-1.5)"), -2);
}

TEST(Expression, CallsFunctions) {
  EXPECT_EQ(integer("ceil_div(n, 256)"), 4);
  EXPECT_EQ(integer("ceil_div(1024, 256)"), 4);
  EXPECT_EQ(integer("ceil_div(-7, 2)"), -3);
  EXPECT_EQ(integer("min(n, k) + max(n, k)"), 1003);
  EXPECT_EQ(integer("select(n > k, 10, 20)"), 10);
  EXPECT_EQ(integer("select(n < k, 10, 20)"), 20);
  EXPECT_EQ(integer("select(n < k, 10, select(k == 3, 30, 40)) + select(1, select(0, 1, 2), 3)"), 32);
  EXPECT_EQ(integer("abs(k - n)"), 997);
  EXPECT_DOUBLE_EQ(real("sqrt(16) + exp(0) + log(1) + sin(0) + cos(0)"), 6.0);
}

TEST(Expression, SelectEvaluatesWhatItTakesOnly) {
  EXPECT_EQ(integer("select(k, k, 1 / 0)"), 3);
  EXPECT_EQ(integer("select(0, 1 / 0, k)"), 3);
  EXPECT_EQ(integer("1 + select(k - 3, 1 / 0, 2 * select(n, 5, log(k) / 0))"), 11);
  EXPECT_THROW(integer("select(1 / 0, 1, 2)"), ExpressionError);
}

TEST(Expression, ComparesToOneOrZero) {
  EXPECT_EQ(integer("k != 3"), 0);
  EXPECT_EQ(integer("k <= 3"), 1);
  EXPECT_EQ(integer("k >= 3.5"), 0);
  EXPECT_EQ(integer("k < 3"), 0);
}

TEST(Expression, HashSpreadsOver32Bits) {
  std::int64_t low = integer("hash(0)");
  std::int64_t high = low;
  for (int i = 1; i < 100; ++i) {
    const std::int64_t value = integer("hash(" + std::to_string(i) + ")");
    ASSERT_GE(value, 0);
    ASSERT_LT(value, std::int64_t{1} << 32U);
    low = std::min(low, value);
    high = std::max(high, value);
  }
  EXPECT_LT(low, std::int64_t{1} << 28U);
  EXPECT_GT(high, std::int64_t{15} << 28U);
}

TEST(Expression, BoundNamesCanChangeBetweenEvaluations) {
  const Expression expression("k * 10 + n");
  std::vector<Number> values = expression.bind(sample_scope());
  ASSERT_EQ(expression.names(), (std::vector<std::string>{"k", "n"}));
  values[0] = Number::of(std::int64_t{5});
  EXPECT_EQ(expression.evaluate_bound(values).integer, 1050);
}

TEST(Expression, LaterNamesHideEarlierOnes) {
  Scope scope = sample_scope();
  scope.push("k", 7);
  EXPECT_EQ(Expression("k").evaluate_integer(scope), 7);
  scope.pop();
  EXPECT_EQ(Expression("k").evaluate_integer(scope), 3);
}

TEST(Expression, NamesWhatItCannotParse) {
  EXPECT_EQ(parse_error(""), "'', character 1: expected a number, a name or '(', found the end");
  EXPECT_EQ(parse_error("2 +"), "'2 +', character 4: expected a number, a name or '(', found the end");
  EXPECT_EQ(parse_error("(n + 1"), "'(n + 1', character 7: expected ')', found the end");
  EXPECT_EQ(parse_error("n n"), "'n n', character 3: expected an operator or the end, found 'n'");
  EXPECT_EQ(parse_error("min(1)"), "'min(1)', character 6: min takes 2 arguments; expected ',', found ')'");
  EXPECT_EQ(parse_error("12abc"), "'12abc', character 1: malformed number, found '1'");
  EXPECT_EQ(parse_error("9223372036854775808"),
            "'9223372036854775808', character 1: integer does not fit 64 bits with a sign, found '9'");
  EXPECT_EQ(parse_error("mni(1, 2)"),
            "'mni(1, 2)': unknown function 'mni'; did you mean 'min'? (functions: abs, ceil_div, cos, exp, "
            "floor, hash, log, max, min, select, sin, sqrt)");
}

TEST(Expression, RefusesTooDeepNesting) {
  EXPECT_THROW(Expression(std::string(100, '(') + "1" + std::string(100, ')')), ExpressionError);
  EXPECT_NO_THROW(Expression(std::string(20, '(') + "1" + std::string(20, ')')));
}

TEST(Expression, NamesWhatItCannotEvaluate) {
  EXPECT_EQ(evaluation_error("nn + 1"), "'nn + 1': unknown name 'nn'; did you mean 'n'? (names: k, n)");
  EXPECT_EQ(evaluation_error("n / (k - 3)"), "'n / (k - 3)': division by zero");
  EXPECT_EQ(evaluation_error("n % (k - 3)"), "'n % (k - 3)': division by zero");
  EXPECT_EQ(evaluation_error("9223372036854775807 + 1"),
            "'9223372036854775807 + 1': the result does not fit 64 bits");
  EXPECT_EQ(evaluation_error("(-9223372036854775807 - 1) / -1"),
            "'(-9223372036854775807 - 1) / -1': the result does not fit 64 bits");
  EXPECT_EQ(evaluation_error("n * 0.5"), "'n * 0.5': expected an integer, got 500");
  EXPECT_EQ(evaluation_error("ceil_div(1.5, 2)"),
            "'ceil_div(1.5, 2)': ceil_div takes integers, got 1.5 and 2");
}

}  // namespace
}  // namespace heddle
