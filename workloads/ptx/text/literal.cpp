#include "workloads/ptx/text/literal.h"

#include <cstring>

#include "workloads/launch/instruction.h"
#include "workloads/ptx/isa/type_info.h"

namespace heddle::ptx {

namespace {

constexpr std::uint64_t kFloatSign = 0x80000000U;
constexpr std::uint64_t kDoubleSign = std::uint64_t{1} << 63U;

int precedence(std::string_view op) {
  if (op == "*" || op == "/") {
    return 6;
  }
  if (op == "+" || op == "-") {
    return 5;
  }
  if (op == "<<" || op == ">>") {
    return 4;
  }
  return op == "&" ? 3 : op == "^" ? 2 : op == "|" ? 1 : 0;
}

std::uint64_t apply(std::string_view op, std::uint64_t a, std::uint64_t b) {
  if (op == "<<" || op == ">>") {
    const std::uint64_t shifted = op == "<<" ? a << (b & 63U) : a >> (b & 63U);
    return b > 63 ? 0 : shifted;
  }
  switch (op.front()) {
    case '*':
      return a * b;
    case '/':
      return b == ~std::uint64_t{0}
                 ? 0 - a
                 : static_cast<std::uint64_t>(static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b));
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '&':
      return a & b;
    case '^':
      return a ^ b;
    default:
      return a | b;
  }
}

Constant parse_binary(TokenStream& tokens, int lowest);

Constant parse_unary(TokenStream& tokens) {
  const Nesting nesting(tokens);
  if (tokens.accept('(')) {
    const Constant inner = parse_binary(tokens, 1);
    tokens.expect(')', "after a constant expression");
    return inner;
  }
  if (tokens.accept('+')) {
    return parse_unary(tokens);
  }
  if (tokens.accept('-')) {
    Constant operand = parse_unary(tokens);
    operand.value = operand.kind == Token::Kind::kInteger   ? 0 - operand.value
                    : operand.kind == Token::Kind::kFloat32 ? operand.value ^ kFloatSign
                                                            : operand.value ^ kDoubleSign;
    return operand;
  }
  if (tokens.peek().is('~') || tokens.peek().is('!')) {
    const bool bitwise = tokens.take().is('~');
    const Position position = tokens.peek().position;
    const Constant operand = parse_unary(tokens);
    if (operand.kind != Token::Kind::kInteger) {
      tokens.fail(position, "found a floating-point constant, expected an integer after '~' or '!'");
    }
    return {operand.kind, bitwise ? ~operand.value : std::uint64_t{operand.value == 0}};
  }
  const Token& token = tokens.peek();
  if (token.kind == Token::Kind::kIdentifier && token.text == "WARP_SZ") {
    tokens.take();
    return {Token::Kind::kInteger, kWarpSize};
  }
  if (token.kind != Token::Kind::kInteger && token.kind != Token::Kind::kFloat32 &&
      token.kind != Token::Kind::kFloat64) {
    tokens.fail_expected("a constant");
  }
  const Token literal = tokens.take();
  return {literal.kind, literal.value};
}

Constant parse_binary(TokenStream& tokens, int lowest) {
  Constant left = parse_unary(tokens);
  for (;;) {
    const Token op = tokens.peek();
    const int strength = op.kind == Token::Kind::kPunctuation ? precedence(op.text) : 0;
    if (strength < lowest || strength == 0) {
      return left;
    }
    tokens.take();
    const Constant right = parse_binary(tokens, strength + 1);
    if (left.kind != Token::Kind::kInteger || right.kind != Token::Kind::kInteger) {
      tokens.fail(op.position, "found arithmetic on floating-point constants, expected integers");
    }
    if (op.is('/') && right.value == 0) {
      tokens.fail(op.position, "found a division by zero in a constant expression");
    }
    left.value = apply(op.text, left.value, right.value);
  }
}

template <typename To, typename From>
To bits_as(From from) {
  To to{};
  std::memcpy(&to, &from, sizeof to);
  return to;
}

double float_value(Constant constant) {
  if (constant.kind == Token::Kind::kFloat32) {
    return static_cast<double>(bits_as<float>(static_cast<std::uint32_t>(constant.value)));
  }
  return bits_as<double>(constant.value);
}

std::uint64_t cut(std::uint64_t value, Type type) {
  const unsigned bits = bits_of(type);
  if (bits >= 64) {
    return value;
  }
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const bool negative = is_signed_integer(type) && ((value >> (bits - 1)) & 1U) != 0;
  return negative ? value | ~mask : value & mask;
}

}  // namespace

bool at_constant(const TokenStream& tokens) {
  const Token& token = tokens.peek();
  switch (token.kind) {
    case Token::Kind::kInteger:
    case Token::Kind::kFloat32:
    case Token::Kind::kFloat64:
      return true;
    case Token::Kind::kPunctuation:
      return token.is('-') || token.is('+') || token.is('~') || token.is('(');
    default:
      return token.text == "WARP_SZ";
  }
}

Constant parse_constant(TokenStream& tokens) { return parse_binary(tokens, 1); }

std::int64_t parse_integer(TokenStream& tokens) {
  const Position position = tokens.peek().position;
  const Constant constant = parse_constant(tokens);
  if (constant.kind != Token::Kind::kInteger) {
    tokens.fail(position, "found a floating-point constant, expected an integer");
  }
  return static_cast<std::int64_t>(constant.value);
}

std::optional<std::uint64_t> encode(Constant constant, Type type) {
  const bool integer = constant.kind == Token::Kind::kInteger;
  if (type == Type::kPred) {
    return constant.value != 0 ? 1 : 0;
  }
  if (type == Type::kF32 && !integer) {
    if (constant.kind == Token::Kind::kFloat32) {
      return constant.value;
    }
    return bits_as<std::uint32_t>(static_cast<float>(float_value(constant)));
  }
  if (type == Type::kF64 && !integer) {
    return bits_as<std::uint64_t>(float_value(constant));
  }
  const Type untyped = constant.kind == Token::Kind::kFloat32 ? Type::kB32 : Type::kB64;
  if (is_floating(type) || (!integer && type != untyped)) {
    return std::nullopt;
  }
  return cut(constant.value, type);
}

}  // namespace heddle::ptx
