#include "workloads/expression/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/nearest_name.h"

namespace heddle {

namespace {

using Op = Expression::Op;

struct Function {
  const char* name;
  std::size_t arguments;
  Op op;
};

constexpr std::array<Function, 12> kFunctions = {{{"min", 2, Op::kMin},
                                                  {"max", 2, Op::kMax},
                                                  {"ceil_div", 2, Op::kCeilDiv},
                                                  {"select", 3, Op::kSkipUnless},
                                                  {"abs", 1, Op::kAbs},
                                                  {"floor", 1, Op::kFloor},
                                                  {"sqrt", 1, Op::kSqrt},
                                                  {"exp", 1, Op::kExp},
                                                  {"log", 1, Op::kLog},
                                                  {"sin", 1, Op::kSin},
                                                  {"cos", 1, Op::kCos},
                                                  {"hash", 1, Op::kHash}}};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

/// Of a name that is added when the list has it not.
std::size_t place_in(std::vector<std::string>& names, const std::string& name) {
  const auto known = std::find(names.begin(), names.end(), name);
  const auto place = static_cast<std::size_t>(known - names.begin());
  if (known == names.end()) names.push_back(name);
  return place;
}

}  // namespace

void ExpressionParser::parse() {
  if (text_.size() > limits::kExpressionCharacters) {
    throw ExpressionError(fmt::format("'{}...': expected at most {} characters, found {}",
                                      text_.substr(0, 40), limits::kExpressionCharacters, text_.size()));
  }
  comparison();
  skip_space();
  if (position_ != text_.size()) {
    fail("expected an operator or the end");
  }
}

void ExpressionParser::comparison() {
  if (++nesting_ > kMaxDepth) {
    fail(fmt::format("nested more than {} deep", kMaxDepth));
  }
  static constexpr std::array<std::pair<std::string_view, Op>, 6> kOperators = {{{"==", Op::kEqual},
                                                                                 {"!=", Op::kNotEqual},
                                                                                 {"<=", Op::kLessEqual},
                                                                                 {">=", Op::kGreaterEqual},
                                                                                 {"<", Op::kLess},
                                                                                 {">", Op::kGreater}}};
  sum();
  for (const auto& [token, op] : kOperators) {
    if (take(token)) {
      sum();
      emit(op, 2);
      break;
    }
  }
  --nesting_;
}

void ExpressionParser::sum() {
  product();
  while (true) {
    if (take("+")) {
      product();
      emit(Op::kAdd, 2);
    } else if (take("-")) {
      product();
      emit(Op::kSubtract, 2);
    } else {
      return;
    }
  }
}

void ExpressionParser::product() {
  factor();
  while (true) {
    if (take("*")) {
      factor();
      emit(Op::kMultiply, 2);
    } else if (take("/")) {
      factor();
      emit(Op::kDivide, 2);
    } else if (take("%")) {
      factor();
      emit(Op::kModulo, 2);
    } else {
      return;
    }
  }
}

void ExpressionParser::factor() {
  std::size_t negations = 0;
  while (take("-")) {
    ++negations;
  }
  if (take("(")) {
    comparison();
    expect(')');
  } else if (position_ < text_.size() && (is_digit(text_[position_]) || text_[position_] == '.')) {
    number(negations % 2 == 1);
    return;
  } else if (position_ < text_.size() && is_name_start(text_[position_])) {
    name_or_call();
  } else {
    fail("expected a number, a name or '('");
  }
  if (negations % 2 == 1) {
    emit(Op::kNegate, 1);
  }
}

/// With its sign, as -2^63 is no negated integer of 64 bits.
void ExpressionParser::number(bool negative) {
  const std::string rest(text_.substr(position_));
  char* integer_end = nullptr;
  char* real_end = nullptr;
  errno = 0;
  const bool hexadecimal = rest.size() > 1 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X');
  const std::uint64_t magnitude = std::strtoull(rest.c_str(), &integer_end, hexadecimal ? 16 : 10);
  const std::uint64_t most =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1U : 0U);
  const bool integer_overflow = errno == ERANGE || magnitude > most;
  const auto integer = static_cast<std::int64_t>(negative ? 0U - magnitude : magnitude);
  const double real = std::strtod(rest.c_str(), &real_end);
  const bool is_integer = hexadecimal || integer_end >= real_end;
  const auto length = static_cast<std::size_t>((is_integer ? integer_end : real_end) - rest.c_str());
  if (length == 0 || (length < rest.size() && is_name_part(rest[length]))) {
    fail("malformed number");
  }
  if (is_integer && integer_overflow) {
    fail("integer does not fit 64 bits with a sign");
  }
  if (!is_integer && std::isinf(real)) {
    fail("number does not fit a double");
  }
  position_ += length;
  program.push_back(
      {Op::kConstant, 0, is_integer ? Number::of(integer) : Number::of(negative ? -real : real)});
  emit(Op::kConstant, 0);
}

void ExpressionParser::name_or_call() {
  const std::size_t start = position_;
  while (position_ < text_.size() && is_name_part(text_[position_])) {
    ++position_;
  }
  const std::string name(text_.substr(start, position_ - start));
  if (take("[")) {
    element(name);
    return;
  }
  if (!take("(")) {
    program.push_back({Op::kName, place_in(names, name), {}});
    emit(Op::kName, 0);
    return;
  }
  const auto* function =
      std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return name == f.name; });
  if (function == kFunctions.end()) {
    std::vector<std::string> known;
    known.reserve(kFunctions.size());
    for (const Function& f : kFunctions) {
      known.emplace_back(f.name);
    }
    throw ExpressionError(
        fmt::format("'{}': unknown function '{}'{}", text_, name, name_hint(name, known, "functions")));
  }
  std::vector<std::size_t> ends;  // of the program after each argument
  for (std::size_t i = 0; i < function->arguments; ++i) {
    if (i > 0 && !take(",")) {
      fail(fmt::format("{} takes {} arguments; expected ','", name, function->arguments));
    }
    comparison();
    ends.push_back(program.size());
    if (function->op == Op::kSkipUnless && i < 2) begin_branch(i == 0 ? Op::kSkipUnless : Op::kSkip);
  }
  expect(')');
  if (function->op == Op::kSkipUnless) {
    program[ends[0]].name = ends[1] + 1;
    program[ends[1]].name = program.size();
  } else {
    emit(function->op, function->arguments);
  }
}

// Of what stands before, the condition is taken from the stack, and the first branch is not there with the
// second.
void ExpressionParser::begin_branch(Op op) {
  program.push_back({op, 0, {}});
  --depth_;
}

void ExpressionParser::element(const std::string& buffer) {
  comparison();
  expect(']');
  program.push_back({Op::kElement, place_in(buffers, buffer), {}});
}

// Constants and names are pushed by their caller; here they only deepen the stack.
void ExpressionParser::emit(Op op, std::size_t operands) {
  if (operands > 0) {
    program.push_back({op, 0, {}});
  }
  depth_ = depth_ + 1 - operands;
  if (depth_ > kMaxDepth) {
    fail(fmt::format("needs more than {} intermediate values", kMaxDepth));
  }
}

bool ExpressionParser::take(std::string_view token) {
  skip_space();
  if (text_.substr(position_, token.size()) != token) {
    return false;
  }
  position_ += token.size();
  return true;
}

void ExpressionParser::expect(char token) {
  if (!take(std::string_view(&token, 1))) {
    fail(fmt::format("expected '{}'", token));
  }
}

void ExpressionParser::skip_space() {
  while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])) != 0) {
    ++position_;
  }
}

std::string ExpressionParser::found() const {
  return position_ < text_.size() ? fmt::format("'{}'", text_.substr(position_, 1)) : "the end";
}

void ExpressionParser::fail(const std::string& message) const {
  throw ExpressionError(
      fmt::format("'{}', character {}: {}, found {}", text_, position_ + 1, message, found()));
}

}  // namespace heddle
