#include <cmath>
#include <vector>

#include "sc_tests/fuzz/inputs/expression_writer.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "workloads/expression/expression.h"

namespace heddle::fuzz {

namespace {

bool same(const Number& a, const Number& b) {
  if (a.is_integer != b.is_integer) return false;
  return a.is_integer ? a.integer == b.integer
                      : a.real == b.real || (std::isnan(a.real) && std::isnan(b.real));
}

Scope some_names() {
  Scope scope;
  scope.push("n", 4096);
  scope.push("m", -3);
  scope.push("i", 17);
  return scope;
}

/// A loaded one gives the same value, or the same refusal, in both ways of evaluating it.
Verdict run_expression(std::string_view input) {
  return verdict_of([input] {
    const Expression expression(input);
    const Scope scope = some_names();
    Number value;
    bool has_value = false;
    try {
      value = expression.evaluate(scope);
      has_value = true;
    } catch (
        const ExpressionError&) {  // a name that is not there, a division by zero: it was read all the same
      return;
    }
    if (has_value && !same(value, expression.evaluate_bound(expression.bind(scope)))) {
      finding("evaluate_bound() differs from evaluate()");
    }
    if (!same(value, Expression(expression.text()).evaluate(scope))) finding("text() is another expression");
  });
}

std::string fresh_expression(test::ChoiceStream& choices) {
  return write_expression(choices, {"n", "m", "i"});
}

}  // namespace

Target expression_target() {
  return {"expression", "expressions of workloads", 256, &run_expression, &fresh_expression};
}

}  // namespace heddle::fuzz
