#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

/// An expression that can't be parsed or evaluated. The message names the expression.
class ExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A 64-bit integer or a double; arithmetic between integers stays integer.
struct Number {
  bool is_integer = true;
  std::int64_t integer = 0;
  double real = 0.0;

  static Number of(std::int64_t value) { return {true, value, 0.0}; }
  static Number of(double value) { return {false, 0, value}; }
  double as_double() const { return is_integer ? static_cast<double>(integer) : real; }
  std::string text() const;
};

/// The buffers whose elements expressions read.
class ElementReader {
 public:
  virtual ~ElementReader() = default;
  /// The element at that time. Throws std::out_of_range, saying what was expected.
  virtual Number read_element(const std::string& buffer, std::int64_t index) const = 0;
};

/// Named integers that expressions refer to: parameters and loop variables. Later names hide earlier ones.
class Scope {
 public:
  void push(std::string name, std::int64_t value) { values_.emplace_back(std::move(name), value); }
  void pop() { values_.pop_back(); }
  /// Changes the value last pushed.
  void set_last(std::int64_t value) { values_.back().second = value; }
  const std::int64_t* find(const std::string& name) const;
  std::vector<std::string> names() const;

  /// What reads the elements of buffers; nullptr, as at first: nothing does.
  void read_elements_with(const ElementReader* reader) { reader_ = reader; }
  const ElementReader* element_reader() const { return reader_; }

 private:
  std::vector<std::pair<std::string, std::int64_t>> values_;
  const ElementReader* reader_ = nullptr;
};

/// An arithmetic expression over named integers, parsed once and evaluated many times:
///   + - * / %  unary -  parentheses  == != < <= > >= (give 1 or 0)
///   min(a,b) max(a,b) ceil_div(a,b) select(condition,a,b) abs(x) floor(x) sqrt(x) exp(x) log(x) sin(x)
///   cos(x) hash(x)  buffer[index] (an element of a buffer)
/// Integer / and % truncate toward zero as in C; an operation with a real operand is done in doubles.
/// floor() gives an integer; hash() mixes an integer to 0..2^32-1. Literals: 12, 0x1F, 1.5, 1e-3.
class Expression {
 public:
  /// Throws ExpressionError.
  explicit Expression(std::string_view text = "0");

  const std::string& text() const { return text_; }
  /// The names that the expression reads, in order of first use.
  const std::vector<std::string>& names() const { return names_; }
  /// The buffers of which it reads elements, likewise.
  const std::vector<std::string>& buffers() const { return buffers_; }

  /// Throws ExpressionError on unknown names, division by zero, integer overflow, and elements that are not
  /// there or that the scope has no reader for.
  Number evaluate(const Scope& scope) const;
  /// As evaluate(), and the result must be an integer.
  std::int64_t evaluate_integer(const Scope& scope) const;

  /// Values of names() in `scope`: bind once, then evaluate often with some of them changed.
  std::vector<Number> bind(const Scope& scope) const;
  Number evaluate_bound(const std::vector<Number>& values, const ElementReader* reader = nullptr) const;

  enum class Op : std::uint8_t {
    kConstant,
    kName,
    kElement,  ///< of a buffer, at the index that is taken from the stack
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kModulo,
    kNegate,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kMin,
    kMax,
    kCeilDiv,
    kSkipUnless,  ///< goes on at step `name` when what it takes from the stack is 0
    kSkip,        ///< goes on at step `name`
    kAbs,
    kFloor,
    kSqrt,
    kExp,
    kLog,
    kSin,
    kCos,
    kHash,
  };
  /// One step of the postfix program: operands are taken from the stack, the result is pushed.
  struct Instruction {
    Op op = Op::kConstant;
    std::size_t name = 0;  ///< kName: index into names(); kElement: into buffers(); kSkip...: of the program
    Number constant;
  };

 private:
  [[noreturn]] void fail(const std::string& message) const;
  Number element(std::size_t buffer, Number index, const ElementReader* reader) const;
  Number unary(Op op, Number a) const;
  Number binary(Op op, Number a, Number b) const;
  Number integer_binary(Op op, std::int64_t a, std::int64_t b) const;

  std::string text_;
  std::vector<std::string> names_;
  std::vector<std::string> buffers_;
  std::vector<Instruction> program_;
};

}  // namespace heddle
