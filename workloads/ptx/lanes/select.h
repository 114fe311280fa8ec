#pragma once

#include "workloads/ptx/lanes/rows.h"

namespace heddle::ptx::HEDDLE_LANES {

/// The unsigned type of the same width for a .bN type, otherwise the type itself.
constexpr Type plain(Type type) {
  switch (type) {
    case Type::kB8:
      return Type::kU8;
    case Type::kB16:
      return Type::kU16;
    case Type::kB32:
      return Type::kU32;
    case Type::kB64:
      return Type::kU64;
    default:
      return type;
  }
}

// One selector a family of operations: the handler of an operation, or nullptr when it has none.
Handler select_integer(const Operation& operation);
Handler select_multiply(const Operation& operation);
Handler select_carry(const Operation& operation);
Handler select_bits(const Operation& operation);
Handler select_bit_field(const Operation& operation);
Handler select_float(const Operation& operation);
Handler select_rounded(const Operation& operation);
Handler select_approximate(const Operation& operation);
Handler select_compare(const Operation& operation);
Handler select_convert(const Operation& operation);
Handler select_convert_rounded(const Operation& operation);
Handler select_move(const Operation& operation);
Handler select_warp_wide(const Operation& operation);
Handler select_memory(const Operation& operation);

}  // namespace heddle::ptx::HEDDLE_LANES
