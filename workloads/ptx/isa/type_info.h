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

/// "s32" for kS32.
std::string_view spelling(Type type);
/// kS32 for "s32"; nothing when it is no type that Heddle knows.
std::optional<Type> type_named(std::string_view name);

/// The untyped type of a width: kB32 for 32.
Type untyped(unsigned bits);
/// The integer type of a width and signedness: kS32 for 32 and true.
Type integer(unsigned bits, bool is_signed);

}  // namespace heddle::ptx
