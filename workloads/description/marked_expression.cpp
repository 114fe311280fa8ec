#include "workloads/description/marked_expression.h"

#include <fmt/format.h>

#include <string>

namespace heddle {

Number MarkedExpression::evaluate(const Scope& scope) const {
  try {
    return expression.evaluate(scope);
  } catch (const ExpressionError& error) {
    throw WorkloadError(mark, error.what());
  }
}

std::int64_t MarkedExpression::evaluate_integer(const Scope& scope) const {
  try {
    return expression.evaluate_integer(scope);
  } catch (const ExpressionError& error) {
    throw WorkloadError(mark, error.what());
  }
}

std::int64_t MarkedExpression::evaluate_in(const Scope& scope, std::int64_t low, std::int64_t high,
                                           const char* what) const {
  const std::int64_t value = evaluate_integer(scope);
  if (value < low || value > high) {
    const std::string source = expression.names().empty() ? "" : fmt::format(" ('{}')", expression.text());
    throw WorkloadError(mark, fmt::format("{} is {}{}, expected {}..{}", what, value, source, low, high));
  }
  return value;
}

}  // namespace heddle
