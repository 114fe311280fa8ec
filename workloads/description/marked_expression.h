#pragma once

#include <cstdint>

#include "workloads/description/workload_error.h"
#include "workloads/expression/expression.h"

namespace heddle {

/// An expression and where it stands, so that what goes wrong in it names its place.
struct MarkedExpression {
  Expression expression;
  SourceMark mark;

  /// Throw WorkloadError at the mark.
  Number evaluate(const Scope& scope) const;
  std::int64_t evaluate_integer(const Scope& scope) const;
  /// As evaluate_integer(), and low <= result <= high; `what` names the value in the message.
  std::int64_t evaluate_in(const Scope& scope, std::int64_t low, std::int64_t high, const char* what) const;
};

}  // namespace heddle
