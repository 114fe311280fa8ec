#include "workloads/ptx/isa/type_info.h"

#include <array>

namespace heddle::ptx {

namespace {

struct Row {
  Type type;
  std::string_view name;
  unsigned bits;
};

constexpr std::array<Row, 17> kRows = {{{Type::kNone, "none", 0},
                                        {Type::kU8, "u8", 8},
                                        {Type::kU16, "u16", 16},
                                        {Type::kU32, "u32", 32},
                                        {Type::kU64, "u64", 64},
                                        {Type::kS8, "s8", 8},
                                        {Type::kS16, "s16", 16},
                                        {Type::kS32, "s32", 32},
                                        {Type::kS64, "s64", 64},
                                        {Type::kB8, "b8", 8},
                                        {Type::kB16, "b16", 16},
                                        {Type::kB32, "b32", 32},
                                        {Type::kB64, "b64", 64},
                                        {Type::kF16, "f16", 16},
                                        {Type::kF32, "f32", 32},
                                        {Type::kF64, "f64", 64},
                                        {Type::kPred, "pred", 1}}};

const Row& row_of(Type type) { return kRows.at(static_cast<std::size_t>(type)); }

}  // namespace

unsigned bits_of(Type type) { return row_of(type).bits; }

bool is_floating(Type type) { return type == Type::kF16 || type == Type::kF32 || type == Type::kF64; }

bool is_signed_integer(Type type) { return type >= Type::kS8 && type <= Type::kS64; }

bool types_agree(Type type, Type declared) {
  const auto is_untyped = [](Type one) { return one == untyped(bits_of(one)); };
  if (is_untyped(type) || is_untyped(declared)) return true;
  return (!is_floating(type) && !is_floating(declared)) || type == declared;
}

std::string_view spelling(Type type) { return row_of(type).name; }

std::optional<Type> type_named(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.type != Type::kNone && row.name == name) {
      return row.type;
    }
  }
  return std::nullopt;
}

Type untyped(unsigned bits) {
  switch (bits) {
    case 1:
      return Type::kPred;
    case 8:
      return Type::kB8;
    case 16:
      return Type::kB16;
    case 32:
      return Type::kB32;
    default:
      return Type::kB64;
  }
}

Type integer(unsigned bits, bool is_signed) {
  switch (bits) {
    case 8:
      return is_signed ? Type::kS8 : Type::kU8;
    case 16:
      return is_signed ? Type::kS16 : Type::kU16;
    case 32:
      return is_signed ? Type::kS32 : Type::kU32;
    default:
      return is_signed ? Type::kS64 : Type::kU64;
  }
}

}  // namespace heddle::ptx
