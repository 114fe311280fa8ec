#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// A text that is no expression. what() names it and the place.
class FigureExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a figure of a paper is computed by: numbers, + - * /, parentheses, min(...), max(...) and first(...)
/// over figures of points, POINT.FIGURE ("gto.sm.l1d.hits"), and their coordinates, POINT[KEY]. first(...) is
/// the first of its values that is there; all else needs all values.
class FigureExpression {
 public:
  struct Reference {
    std::string point;
    std::string name;  ///< of a figure of stats.json, or of a coordinate
    bool coordinate = false;
  };
  using Lookup = std::function<std::optional<double>(const Reference&)>;

  /// Throws FigureExpressionError.
  explicit FigureExpression(std::string_view text);

  const std::vector<Reference>& references() const { return references_; }
  /// Nothing when a value that it needs is missing, or a divisor is 0.
  std::optional<double> evaluate(const Lookup& lookup) const;

 private:
  friend class FigureExpressionParser;
  enum class Op : std::uint8_t {
    kNumber,
    kReference,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kMin,
    kMax,
    kFirst
  };
  /// In reverse Polish order; an operation takes the two values before it.
  struct Step {
    Op op = Op::kNumber;
    double number = 0;
    std::size_t reference = 0;
  };

  static std::optional<double> combine(Op op, std::optional<double> left, std::optional<double> right);

  std::vector<Step> steps_;
  std::vector<Reference> references_;
};

/// `text` with every {x} replaced by `x`.
std::string with_axis_value(std::string_view text, std::string_view x);

}  // namespace heddle
