#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "workloads/expression/expression.h"

namespace heddle {

/// Recursive-descent parser that turns the text of an expression into a postfix program.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  /// Parses the whole text; throws ExpressionError. Call once.
  void parse();

  std::vector<Expression::Instruction> program;
  std::vector<std::string> names;
  std::vector<std::string> buffers;

  /// Deepest evaluation stack that a program may need.
  static constexpr std::size_t kMaxDepth = limits::kExpressionDepth;

 private:
  void comparison();
  void sum();
  void product();
  void factor();
  void number(bool negative);
  void name_or_call();
  void element(const std::string& buffer);
  void begin_branch(Expression::Op op);
  void emit(Expression::Op op, std::size_t operands);
  bool take(std::string_view token);
  void expect(char token);
  void skip_space();
  std::string found() const;
  [[noreturn]] void fail(const std::string& message) const;

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t depth_ = 0;
  std::size_t nesting_ = 0;
};

}  // namespace heddle
