#pragma once

#include <optional>
#include <string_view>

#include "workloads/ptx/isa/operation.h"

namespace heddle::ptx {

/// Width of a value of the type in bits; 1 for predicates, 0 for kNone.
unsigned bits_of(Type type);
inline unsigned bytes_of(Type type) { return bits_of(type) / 8; }

bool is_floating(Type type);
bool is_signed_integer(Type type);
/// Whether an instruction may take a register of type `declared` for `type`, widths aside (PTX ISA, "Operand
/// Size Exceeding Instruction-Type Size" and "Type Information for Instructions and Operands"): untyped bits
/// agree with all, signed and unsigned integers with each other, floating types with themselves.
bool types_agree(Type type, Type declared);

/// "s32" for kS32.
std::string_view spelling(Type type);
/// kS32 for "s32"; nothing when it is no type that Heddle knows.
std::optional<Type> type_named(std::string_view name);

/// The untyped type of a width: kB32 for 32.
Type untyped(unsigned bits);
/// The integer type of a width and signedness: kS32 for 32 and true.
Type integer(unsigned bits, bool is_signed);

}  // namespace heddle::ptx
