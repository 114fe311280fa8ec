// Bit fields, byte permutation and small dot products: bfe, bfi, bmsk, szext, prmt, fns, dp2a, dp4a.

#include "workloads/ptx/lanes/select.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

struct Extract {
  template <class V>
  V operator()(V a, std::uint32_t b, std::uint32_t c) const {
    constexpr std::uint32_t kBits = 8 * sizeof(V);
    const std::uint32_t position = b & 0xFFU;
    const std::uint32_t length = c & 0xFFU;
    if (length == 0) return 0;
    constexpr V kNone = 0;
    const V shifted =
        position < kBits ? static_cast<V>(a >> position) : static_cast<V>(a < 0 ? ~kNone : kNone);
    if (length >= kBits) return shifted;
    using U = std::make_unsigned_t<V>;
    const std::uint32_t unused = kBits - length;
    return static_cast<V>(static_cast<V>(static_cast<U>(static_cast<U>(shifted) << unused)) >> unused);
  }
};

struct Insert {
  template <class V>
  V operator()(V a, V b, std::uint32_t c, std::uint32_t d) const {
    constexpr std::uint32_t kBits = 8 * sizeof(V);
    const std::uint32_t position = c & 0xFFU;
    const std::uint32_t length = d & 0xFFU;
    if (position >= kBits) return b;
    const V ones = length >= kBits ? static_cast<V>(~V{0}) : static_cast<V>((V{1} << length) - 1);
    const V field = static_cast<V>(ones << position);
    return static_cast<V>((b & ~field) | ((a << position) & field));
  }
};

template <bool kWrap>
struct BitMask {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    if (!kWrap && a >= 32) return 0;
    const std::uint32_t from = ~0U << (a & 31U);
    const std::uint32_t end = (a & 31U) + (b & 31U);
    const bool to_the_top = end >= 32 || (!kWrap && b >= 32);
    return to_the_top ? from : from & ~(~0U << end);
  }
};

template <bool kWrap>
struct Extend {
  template <class V>
  V operator()(V a, std::uint32_t b) const {
    const std::uint32_t length = kWrap ? b & 31U : b;
    if (length >= 32) return a;
    if (length == 0) return 0;
    const std::uint32_t unused = 32 - length;
    return static_cast<V>(static_cast<V>(static_cast<std::uint32_t>(a) << unused) >> unused);
  }
};

inline std::uint32_t byte_of(std::uint64_t bytes, std::uint32_t index) {
  return static_cast<std::uint32_t>(bytes >> (8 * index)) & 0xFFU;
}

struct Permute {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t selector) const {
    const std::uint64_t bytes = (std::uint64_t{b} << 32U) | a;
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t choice = selector >> (4 * i);
      const std::uint32_t byte = byte_of(bytes, choice & 7U);
      const std::uint32_t sign = (byte & 0x80U) != 0 ? 0xFFU : 0U;
      result |= ((choice & 8U) != 0 ? sign : byte) << (8 * i);
    }
    return result;
  }
};
/// The modes that choose the four bytes by the low two bits of the selector: nibble i of entry s of a
/// mode's table is the index of the byte that becomes byte i.
template <PrmtMode kMode>
struct PermuteMode {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t selector) const {
    constexpr std::uint32_t kTable[5][4] = {{0x3210, 0x4321, 0x5432, 0x6543},   // f4e
                                            {0x5670, 0x6701, 0x7012, 0x0123},   // b4e
                                            {0x0000, 0x1111, 0x2222, 0x3333},   // rc8
                                            {0x3210, 0x3211, 0x3222, 0x3333},   // ecl
                                            {0x0000, 0x1110, 0x2210, 0x3210}};  // ecr
    constexpr std::uint32_t kHalves[4] = {0x1010, 0x3232, 0x1010, 0x3232};      // rc16
    const std::uint32_t choice = selector & 3U;
    if constexpr (kMode == PrmtMode::kRc16) return Permute{}(a, b, kHalves[choice]);
    return Permute{}(a, b,
                     kTable[static_cast<unsigned>(kMode) - static_cast<unsigned>(PrmtMode::kF4e)][choice]);
  }
};

struct FindNth {
  std::uint32_t operator()(std::uint32_t mask, std::uint32_t base, std::int32_t offset) const {
    if (base >= 32) return 0xFFFFFFFFU;
    if (offset == 0) return (mask >> base & 1U) != 0 ? base : 0xFFFFFFFFU;
    std::int64_t left = offset < 0 ? -std::int64_t{offset} : offset;
    const std::int32_t direction = offset < 0 ? -1 : 1;
    for (auto at = static_cast<std::int32_t>(base); at >= 0 && at < 32; at += direction) {
      if ((mask >> at & 1U) != 0 && --left == 0) return static_cast<std::uint32_t>(at);
    }
    return 0xFFFFFFFFU;
  }
};

template <bool kSigned>
inline std::int32_t byte_value(std::uint32_t word, unsigned index) {
  const std::uint32_t byte = byte_of(word, index);
  return kSigned ? static_cast<std::int8_t>(byte) : static_cast<std::int32_t>(byte);
}
template <bool kSigned>
inline std::int32_t half_value(std::uint32_t word, unsigned index) {
  const auto half = static_cast<std::uint16_t>(word >> (16 * index));
  return kSigned ? static_cast<std::int16_t>(half) : static_cast<std::int32_t>(half);
}
template <bool kSignedA, bool kSignedB>
struct Dot4 {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    for (unsigned i = 0; i < 4; ++i) {
      c += static_cast<std::uint32_t>(byte_value<kSignedA>(a, i) * byte_value<kSignedB>(b, i));
    }
    return c;
  }
};
template <bool kSignedA, bool kSignedB, bool kHigh>
struct Dot2 {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    for (unsigned i = 0; i < 2; ++i) {
      c += static_cast<std::uint32_t>(half_value<kSignedA>(a, i) *
                                      byte_value<kSignedB>(b, i + (kHigh ? 2 : 0)));
    }
    return c;
  }
};

template <template <bool, bool> class Dot>
Handler by_signs(bool signed_a, bool signed_b) {
  if (signed_a) {
    return signed_b ? &handle<Dot<true, true>, U32, U32, U32, U32>
                    : &handle<Dot<true, false>, U32, U32, U32, U32>;
  }
  return signed_b ? &handle<Dot<false, true>, U32, U32, U32, U32>
                  : &handle<Dot<false, false>, U32, U32, U32, U32>;
}
template <bool kSignedA, bool kSignedB>
using Dot2Low = Dot2<kSignedA, kSignedB, false>;
template <bool kSignedA, bool kSignedB>
using Dot2High = Dot2<kSignedA, kSignedB, true>;

Handler select_dot(const Operation& operation) {
  const Type type_b = operation.source_type == Type::kNone ? operation.type : operation.source_type;
  const bool signed_a = operation.type == Type::kS32;
  const bool signed_b = type_b == Type::kS32;
  if ((!signed_a && operation.type != Type::kU32) || (!signed_b && type_b != Type::kU32)) return nullptr;
  if (operation.opcode == Opcode::kDp4a) return by_signs<Dot4>(signed_a, signed_b);
  return operation.mul_part == MulPart::kHi ? by_signs<Dot2High>(signed_a, signed_b)
                                            : by_signs<Dot2Low>(signed_a, signed_b);
}

template <class T>
Handler permute() {
  return &handle<T, U32, U32, U32, U32>;
}
Handler select_permute(PrmtMode mode) {
  switch (mode) {
    case PrmtMode::kDefault:
      return permute<Permute>();
    case PrmtMode::kF4e:
      return permute<PermuteMode<PrmtMode::kF4e>>();
    case PrmtMode::kB4e:
      return permute<PermuteMode<PrmtMode::kB4e>>();
    case PrmtMode::kRc8:
      return permute<PermuteMode<PrmtMode::kRc8>>();
    case PrmtMode::kEcl:
      return permute<PermuteMode<PrmtMode::kEcl>>();
    case PrmtMode::kEcr:
      return permute<PermuteMode<PrmtMode::kEcr>>();
    case PrmtMode::kRc16:
      return permute<PermuteMode<PrmtMode::kRc16>>();
  }
  return nullptr;
}

Handler select_extract(Type type) {
  switch (type) {
    case Type::kU32:
      return &handle<Extract, U32, U32, U32, U32>;
    case Type::kS32:
      return &handle<Extract, S32, S32, U32, U32>;
    case Type::kU64:
      return &handle<Extract, U64, U64, U32, U32>;
    case Type::kS64:
      return &handle<Extract, S64, S64, U32, U32>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_bit_field(const Operation& operation) {
  const Type type = plain(operation.type);
  switch (operation.opcode) {
    case Opcode::kBfe:
      return select_extract(type);
    case Opcode::kBfi:
      if (type == Type::kU32) return &handle<Insert, U32, U32, U32, U32, U32>;
      return type == Type::kU64 ? &handle<Insert, U64, U64, U64, U32, U32> : nullptr;
    case Opcode::kBmsk:
      return operation.wrap ? &handle<BitMask<true>, U32, U32, U32> : &handle<BitMask<false>, U32, U32, U32>;
    case Opcode::kSzext:
      if (type == Type::kU32)
        return operation.wrap ? &handle<Extend<true>, U32, U32, U32> : &handle<Extend<false>, U32, U32, U32>;
      if (type != Type::kS32) return nullptr;
      return operation.wrap ? &handle<Extend<true>, S32, S32, U32> : &handle<Extend<false>, S32, S32, U32>;
    case Opcode::kPrmt:
      return select_permute(operation.prmt);
    case Opcode::kFns:
      return &handle<FindNth, U32, U32, U32, S32>;
    case Opcode::kDp2a:
    case Opcode::kDp4a:
      return select_dot(operation);
    default:
      return nullptr;
  }
}

}  // namespace heddle::ptx::HEDDLE_LANES
