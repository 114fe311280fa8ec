#include "workloads/expression/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "base/nearest_name.h"
#include "workloads/expression/expression_parser.h"

namespace heddle {

namespace {

using Op = Expression::Op;

// A multiply-xorshift mix, so that formulas can make irregular but reproducible structures.
std::int64_t mix(std::int64_t value) {
  auto x = static_cast<std::uint64_t>(value);
  x = (x ^ (x >> 31U)) * 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 29U)) * 0xBF58476D1CE4E5B9U;
  return static_cast<std::int64_t>(x >> 32U);
}

bool compare(Op op, double a, double b) {
  switch (op) {
    case Op::kEqual:
      return a == b;
    case Op::kNotEqual:
      return a != b;
    case Op::kLess:
      return a < b;
    case Op::kLessEqual:
      return a <= b;
    case Op::kGreater:
      return a > b;
    default:
      return a >= b;
  }
}

bool compare(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::kEqual:
      return a == b;
    case Op::kNotEqual:
      return a != b;
    case Op::kLess:
      return a < b;
    case Op::kLessEqual:
      return a <= b;
    case Op::kGreater:
      return a > b;
    default:
      return a >= b;
  }
}

/// Of as many numbers as the parser lets an expression need. What is not pushed is not written either: a
/// buffer's formula is evaluated for each of its elements.
class NumberStack {
 public:
  void push(Number number) { places_[size_++].number = number; }
  Number pop() { return places_[--size_].number; }
  Number& top() { return places_[size_ - 1].number; }

 private:
  union Place {
    Place() {}
    Number number;
  };
  std::array<Place, ExpressionParser::kMaxDepth> places_;
  std::size_t size_ = 0;
};

}  // namespace

std::string Number::text() const { return is_integer ? std::to_string(integer) : fmt::format("{}", real); }

const std::int64_t* Scope::find(const std::string& name) const {
  const auto found =
      std::find_if(values_.rbegin(), values_.rend(), [&](const auto& value) { return value.first == name; });
  return found == values_.rend() ? nullptr : &found->second;
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> result;
  for (const auto& value : values_) {
    if (std::find(result.begin(), result.end(), value.first) == result.end()) {
      result.push_back(value.first);
    }
  }
  return result;
}

Expression::Expression(std::string_view text) : text_(text) {
  ExpressionParser parser(text_);
  parser.parse();
  program_ = std::move(parser.program);
  names_ = std::move(parser.names);
  buffers_ = std::move(parser.buffers);
}

Number Expression::evaluate(const Scope& scope) const {
  return evaluate_bound(bind(scope), scope.element_reader());
}

std::int64_t Expression::evaluate_integer(const Scope& scope) const {
  const Number result = evaluate(scope);
  if (!result.is_integer) {
    fail(fmt::format("expected an integer, got {}", result.text()));
  }
  return result.integer;
}

std::vector<Number> Expression::bind(const Scope& scope) const {
  std::vector<Number> values;
  values.reserve(names_.size());
  for (const std::string& name : names_) {
    const std::int64_t* value = scope.find(name);
    if (value == nullptr) {
      fail(fmt::format("unknown name '{}'{}", name, name_hint(name, scope.names(), "names")));
    }
    values.push_back(Number::of(*value));
  }
  return values;
}

Number Expression::evaluate_bound(const std::vector<Number>& values, const ElementReader* reader) const {
  NumberStack stack;
  for (std::size_t place = 0; place < program_.size();) {
    const Instruction& step = program_[place++];
    switch (step.op) {
      case Op::kConstant:
        stack.push(step.constant);
        break;
      case Op::kName:
        stack.push(values[step.name]);
        break;
      case Op::kElement:
        stack.top() = element(step.name, stack.top(), reader);
        break;
      case Op::kNegate:
      case Op::kAbs:
      case Op::kFloor:
      case Op::kSqrt:
      case Op::kExp:
      case Op::kLog:
      case Op::kSin:
      case Op::kCos:
      case Op::kHash:
        stack.top() = unary(step.op, stack.top());
        break;
      case Op::kSkipUnless:
        if (stack.pop().as_double() == 0.0) place = step.name;
        break;
      case Op::kSkip:
        place = step.name;
        break;
      default: {
        const Number right = stack.pop();
        stack.top() = binary(step.op, stack.top(), right);
      }
    }
  }
  return stack.top();
}

Number Expression::element(std::size_t buffer, Number index, const ElementReader* reader) const {
  if (reader == nullptr) fail("the content of a buffer is not known here");
  if (!index.is_integer) fail(fmt::format("an index is an integer, got {}", index.text()));
  try {
    return reader->read_element(buffers_[buffer], index.integer);
  } catch (const std::out_of_range& error) {
    fail(error.what());
  }
}

Number Expression::unary(Op op, Number a) const {
  switch (op) {
    case Op::kNegate:
      return a.is_integer ? integer_binary(Op::kSubtract, 0, a.integer) : Number::of(-a.real);
    case Op::kAbs:
      if (!a.is_integer) {
        return Number::of(std::fabs(a.real));
      }
      return a.integer < 0 ? integer_binary(Op::kSubtract, 0, a.integer) : a;
    case Op::kFloor: {
      if (a.is_integer) {
        return a;
      }
      const double whole = std::floor(a.real);
      if (!(std::fabs(whole) < 9.2e18)) {
        fail(fmt::format("floor({}) does not fit 64 bits", a.real));
      }
      return Number::of(static_cast<std::int64_t>(whole));
    }
    case Op::kSqrt:
      return Number::of(std::sqrt(a.as_double()));
    case Op::kExp:
      return Number::of(std::exp(a.as_double()));
    case Op::kLog:
      return Number::of(std::log(a.as_double()));
    case Op::kSin:
      return Number::of(std::sin(a.as_double()));
    case Op::kCos:
      return Number::of(std::cos(a.as_double()));
    default:
      if (!a.is_integer) {
        fail(fmt::format("hash() takes an integer, got {}", a.text()));
      }
      return Number::of(mix(a.integer));
  }
}

Number Expression::binary(Op op, Number a, Number b) const {
  if (a.is_integer && b.is_integer) {
    return integer_binary(op, a.integer, b.integer);
  }
  const double x = a.as_double();
  const double y = b.as_double();
  switch (op) {
    case Op::kAdd:
      return Number::of(x + y);
    case Op::kSubtract:
      return Number::of(x - y);
    case Op::kMultiply:
      return Number::of(x * y);
    case Op::kDivide:
      return Number::of(x / y);
    case Op::kModulo:
      return Number::of(std::fmod(x, y));
    case Op::kMin:
      return Number::of(std::min(x, y));
    case Op::kMax:
      return Number::of(std::max(x, y));
    case Op::kCeilDiv:
      fail(fmt::format("ceil_div takes integers, got {} and {}", a.text(), b.text()));
    default:
      return Number::of(std::int64_t{compare(op, x, y)});
  }
}

Number Expression::integer_binary(Op op, std::int64_t a, std::int64_t b) const {
  std::int64_t result = 0;
  bool overflow = false;
  switch (op) {
    case Op::kAdd:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case Op::kSubtract:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case Op::kMultiply:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    case Op::kDivide:
    case Op::kModulo:
    case Op::kCeilDiv:
      if (b == 0) {
        fail("division by zero");
      }
      if (b == -1) {
        overflow = op != Op::kModulo && __builtin_sub_overflow(std::int64_t{0}, a, &result);
        break;
      }
      result = op == Op::kModulo ? a % b : a / b;
      if (op == Op::kCeilDiv && a % b != 0 && (a < 0) == (b < 0)) {
        ++result;
      }
      break;
    case Op::kMin:
      result = std::min(a, b);
      break;
    case Op::kMax:
      result = std::max(a, b);
      break;
    default:
      result = compare(op, a, b) ? 1 : 0;
  }
  if (overflow) {
    fail("the result does not fit 64 bits");
  }
  return Number::of(result);
}

void Expression::fail(const std::string& message) const {
  throw ExpressionError(fmt::format("'{}': {}", text_, message));
}

}  // namespace heddle
