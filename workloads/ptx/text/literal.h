#pragma once

#include <cstdint>
#include <optional>

#include "workloads/ptx/isa/operation.h"
#include "workloads/ptx/text/lexer.h"
#include "workloads/ptx/text/token_stream.h"

namespace heddle::ptx {

/// Value of a constant expression. kInteger: two's complement; floats: IEEE bits of their width.
struct Constant {
  Token::Kind kind = Token::Kind::kInteger;
  std::uint64_t value = 0;
};

/// True when a constant expression can start at the next token.
bool at_constant(const TokenStream& tokens);

/// Parses a constant expression: literals, WARP_SZ, parentheses, unary - + ~ !, and binary * / + - << >> & ^
/// |. Throws PtxError.
Constant parse_constant(TokenStream& tokens);

/// parse_constant() that must give an integer.
std::int64_t parse_integer(TokenStream& tokens);

/// The constant's bits as a value of `type`, as Operand::value has them: integers cut to the type's width and
/// extended by its signedness, floats rounded to the type. Nothing when an integer stands where a float is
/// needed, or a float where an integer is; the bits of a float go into an untyped value of its width.
std::optional<std::uint64_t> encode(Constant constant, Type type);

}  // namespace heddle::ptx
