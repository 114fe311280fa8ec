#include "top/reproduction/definition/figure_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace heddle {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

/// Recursive descent: a sum of products of values.
class FigureExpressionParser {
 public:
  FigureExpressionParser(std::string_view text, FigureExpression& expression)
      : text_(text), expression_(expression) {}

  void parse() {
    sum();
    if (peek() != '\0') fail("an operator or the end");
  }

 private:
  using Op = FigureExpression::Op;

  /// The next sign that is no blank; '\0' at the end.
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(fmt::format("'{}'", c));
  }

  [[noreturn]] void fail(const std::string& expected) {
    const std::string found = at_ < text_.size() ? fmt::format("'{}'", text_.substr(at_, 1)) : "the end";
    throw FigureExpressionError(
        fmt::format("'{}', place {}: expected {}, found {}", text_, at_ + 1, expected, found));
  }

  void add(Op op) { expression_.steps_.push_back({op, 0, 0}); }

  void sum() {
    product();
    while (true) {
      if (take('+')) {
        product();
        add(Op::kAdd);
      } else if (take('-')) {
        product();
        add(Op::kSubtract);
      } else {
        return;
      }
    }
  }

  void product() {
    value();
    while (true) {
      if (take('*')) {
        value();
        add(Op::kMultiply);
      } else if (take('/')) {
        value();
        add(Op::kDivide);
      } else {
        return;
      }
    }
  }

  void value() {
    if (++depth_ > kMaxDepth) fail("at most 100 parentheses inside each other");
    const char c = peek();
    if (take('(')) {
      sum();
      expect(')');
    } else if (is_digit(c)) {
      number();
    } else if (is_letter(c)) {
      named();
    } else {
      fail("a number, a point's figure or '('");
    }
    --depth_;
  }

  void number() {
    FigureExpression::Step step;
    const char* const begin = text_.data() + at_;
    const auto [rest, error] = std::from_chars(begin, text_.data() + text_.size(), step.number);
    if (error != std::errc()) fail("a number");
    at_ += static_cast<std::size_t>(rest - begin);
    expression_.steps_.push_back(step);
  }

  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    if (at_ == begin) fail("a name");
    return std::string(text_.substr(begin, at_ - begin));
  }

  void named() {
    const std::string name = word();
    if (peek() == '(') {
      for (const auto& [function, op] :
           {std::pair("min", Op::kMin), {"max", Op::kMax}, {"first", Op::kFirst}}) {
        if (name != function) continue;
        of_several(op);
        return;
      }
    }
    FigureExpression::Reference reference;
    reference.point = name;
    if (take('[')) {
      const std::size_t end = text_.find(']', at_);
      if (end == std::string_view::npos) fail("']' behind a coordinate's name");
      reference.name = std::string(text_.substr(at_, end - at_));
      reference.coordinate = true;
      at_ = end + 1;
    } else {
      expect('.');
      reference.name = word();
      while (at_ < text_.size() && text_[at_] == '.') {
        ++at_;
        reference.name += "." + word();
      }
    }
    FigureExpression::Step step;
    step.op = Op::kReference;
    step.reference = expression_.references_.size();
    expression_.references_.push_back(std::move(reference));
    expression_.steps_.push_back(step);
  }

  void of_several(Op op) {
    expect('(');
    sum();
    while (take(',')) {
      sum();
      add(op);
    }
    expect(')');
  }

  static constexpr unsigned kMaxDepth = 100;

  std::string_view text_;
  FigureExpression& expression_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

FigureExpression::FigureExpression(std::string_view text) { FigureExpressionParser(text, *this).parse(); }

std::optional<double> FigureExpression::evaluate(const Lookup& lookup) const {
  std::vector<std::optional<double>> stack;
  for (const Step& step : steps_) {
    if (step.op == Op::kNumber) {
      stack.emplace_back(step.number);
      continue;
    }
    if (step.op == Op::kReference) {
      stack.push_back(lookup(references_[step.reference]));
      continue;
    }
    const std::optional<double> right = stack.back();
    stack.pop_back();
    stack.back() = combine(step.op, stack.back(), right);
  }
  return stack.back();
}

std::optional<double> FigureExpression::combine(Op op, std::optional<double> left,
                                                std::optional<double> right) {
  if (op == Op::kFirst) return left ? left : right;
  if (!left || !right) return std::nullopt;
  switch (op) {
    case Op::kAdd:
      return *left + *right;
    case Op::kSubtract:
      return *left - *right;
    case Op::kMultiply:
      return *left * *right;
    case Op::kDivide:
      return *right == 0 ? std::nullopt : std::optional(*left / *right);
    case Op::kMin:
      return std::min(*left, *right);
    default:
      return std::max(*left, *right);
  }
}

std::string with_axis_value(std::string_view text, std::string_view x) {
  constexpr std::string_view kMark = "{x}";
  std::string result;
  std::size_t from = 0;
  for (std::size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark, from)) {
    result.append(text.substr(from, at - from)).append(x);
    from = at + kMark.size();
  }
  return result.append(text.substr(from));
}

}  // namespace heddle
