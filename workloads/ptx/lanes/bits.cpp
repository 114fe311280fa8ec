// Logic, shifts and bit counts.

#include "workloads/ptx/lanes/select.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

struct And {
  template <class V>
  V operator()(V a, V b) const {
    return static_cast<V>(a & b);
  }
};
struct Or {
  template <class V>
  V operator()(V a, V b) const {
    return static_cast<V>(a | b);
  }
};
struct ExclusiveOr {
  template <class V>
  V operator()(V a, V b) const {
    return static_cast<V>(a ^ b);
  }
};
struct Not {
  template <class V>
  V operator()(V a) const {
    return static_cast<V>(~a);
  }
};
struct LogicalNot {
  template <class V>
  V operator()(V a) const {
    return a == 0 ? V{1} : V{0};
  }
};

// A shift by the width or more gives 0, or the sign in every bit.
struct ShiftLeft {
  template <class V>
  V operator()(V a, std::uint32_t amount) const {
    constexpr std::uint32_t kBits = 8 * sizeof(V);
    return static_cast<V>(amount < kBits ? a << (amount & (kBits - 1)) : 0);
  }
};
struct ShiftRight {
  template <class V>
  V operator()(V a, std::uint32_t amount) const {
    constexpr std::uint32_t kBits = 8 * sizeof(V);
    if constexpr (std::is_signed_v<V>) {
      return static_cast<V>(a >> (amount < kBits ? amount : kBits - 1));
    } else {
      return static_cast<V>(amount < kBits ? a >> (amount & (kBits - 1)) : 0);
    }
  }
};

inline std::uint32_t funnel_amount(std::uint32_t amount, bool wrap) {
  return wrap ? amount & 31U : (amount < 32 ? amount : 32);
}
template <bool kWrap>
struct FunnelLeft {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t amount) const {
    const std::uint64_t both = (std::uint64_t{b} << 32U) | a;
    return static_cast<std::uint32_t>((both << funnel_amount(amount, kWrap)) >> 32U);
  }
};
template <bool kWrap>
struct FunnelRight {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t amount) const {
    const std::uint64_t both = (std::uint64_t{b} << 32U) | a;
    return static_cast<std::uint32_t>(both >> funnel_amount(amount, kWrap));
  }
};

inline std::uint32_t leading_zeros(std::uint32_t a) {
  return a == 0 ? 32 : static_cast<std::uint32_t>(__builtin_clz(a));
}
inline std::uint32_t leading_zeros(std::uint64_t a) {
  return a == 0 ? 64 : static_cast<std::uint32_t>(__builtin_clzll(a));
}
struct LeadingZeros {
  template <class V>
  std::uint32_t operator()(V a) const {
    return leading_zeros(a);
  }
};
struct Population {
  std::uint32_t operator()(std::uint64_t a) const {
    a -= (a >> 1U) & 0x5555555555555555U;
    a = (a & 0x3333333333333333U) + ((a >> 2U) & 0x3333333333333333U);
    a = (a + (a >> 4U)) & 0x0F0F0F0F0F0F0F0FU;
    return static_cast<std::uint32_t>((a * 0x0101010101010101U) >> 56U);
  }
};
struct Reverse {
  template <class V>
  V operator()(V a) const {
    std::uint64_t bits = a;
    bits = ((bits >> 1U) & 0x5555555555555555U) | ((bits & 0x5555555555555555U) << 1U);
    bits = ((bits >> 2U) & 0x3333333333333333U) | ((bits & 0x3333333333333333U) << 2U);
    bits = ((bits >> 4U) & 0x0F0F0F0F0F0F0F0FU) | ((bits & 0x0F0F0F0F0F0F0F0FU) << 4U);
    return static_cast<V>(__builtin_bswap64(bits) >> (64 - 8 * sizeof(V)));
  }
};

/// The position of the highest bit that is not the sign; as a shift amount: how far it is from the top.
template <bool kShiftAmount>
struct FindHighest {
  template <class V>
  std::uint32_t operator()(V a) const {
    using U = std::make_unsigned_t<V>;
    const U bits = static_cast<U>(a < 0 ? ~a : a);
    if (bits == 0) return 0xFFFFFFFFU;
    const std::uint32_t zeros = leading_zeros(bits);
    return kShiftAmount ? zeros : static_cast<std::uint32_t>(8 * sizeof(V)) - 1 - zeros;
  }
};

void lop3(LaneContext& context, const BoundOperation& bound) {
  const unsigned lut = bound.operation->lut_or_selector;
  std::uint32_t chosen[8];
  for (unsigned term = 0; term < 8; ++term) chosen[term] = (lut >> term & 1U) != 0 ? ~0U : 0U;
  map_lanes<U32, U32, U32, U32>(
      context.active, row<Row32>(context, bound.dst[0]),
      [chosen](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const std::uint32_t without_a =
            (chosen[0] & ~b & ~c) | (chosen[1] & ~b & c) | (chosen[2] & b & ~c) | (chosen[3] & b & c);
        const std::uint32_t with_a =
            (chosen[4] & ~b & ~c) | (chosen[5] & ~b & c) | (chosen[6] & b & ~c) | (chosen[7] & b & c);
        return (~a & without_a) | (a & with_a);
      },
      row<Row32>(context, bound.src[0]), row<Row32>(context, bound.src[1]),
      row<Row32>(context, bound.src[2]));
}

template <class T>
Handler find_highest(bool shift_amount) {
  return shift_amount ? &handle<FindHighest<true>, U32, T> : &handle<FindHighest<false>, U32, T>;
}

Handler select_find(const Operation& operation) {
  switch (operation.type) {
    case Type::kU32:
      return find_highest<U32>(operation.shift_amount);
    case Type::kS32:
      return find_highest<S32>(operation.shift_amount);
    case Type::kU64:
      return find_highest<U64>(operation.shift_amount);
    case Type::kS64:
      return find_highest<S64>(operation.shift_amount);
    default:
      return nullptr;
  }
}

template <class F, class... T>
Handler shift(Type type) {
  Handler found = nullptr;
  ((type == T::kType ? static_cast<void>(found = &handle<F, T, T, U32>) : static_cast<void>(0)), ...);
  return found;
}

Handler select_funnel(const Operation& operation) {
  if (plain(operation.type) != Type::kU32) return nullptr;
  if (operation.right) {
    return operation.wrap ? &handle<FunnelRight<true>, U32, U32, U32, U32>
                          : &handle<FunnelRight<false>, U32, U32, U32, U32>;
  }
  return operation.wrap ? &handle<FunnelLeft<true>, U32, U32, U32, U32>
                        : &handle<FunnelLeft<false>, U32, U32, U32, U32>;
}

}  // namespace

Handler select_bits(const Operation& operation) {
  const Type type = plain(operation.type);
  const bool wide = type == Type::kU64;
  if (!wide && type != Type::kU32 && type != Type::kU16 && operation.opcode != Opcode::kShr &&
      operation.opcode != Opcode::kBfind) {
    return nullptr;
  }
  switch (operation.opcode) {
    case Opcode::kAnd:
      return binary<And, U16, U32, U64>(type);
    case Opcode::kOr:
      return binary<Or, U16, U32, U64>(type);
    case Opcode::kXor:
      return binary<ExclusiveOr, U16, U32, U64>(type);
    case Opcode::kNot:
      return unary<Not, U16, U32, U64>(type);
    case Opcode::kCnot:
      return unary<LogicalNot, U16, U32, U64>(type);
    case Opcode::kLop3:
      return type == Type::kU32 ? &lop3 : nullptr;
    case Opcode::kShl:
      return shift<ShiftLeft, U16, U32, U64>(type);
    case Opcode::kShr:
      return shift<ShiftRight, U16, U32, U64, S16, S32, S64>(type);
    case Opcode::kShf:
      return select_funnel(operation);
    case Opcode::kBfind:
      return select_find(operation);
    case Opcode::kBrev:
      return unary<Reverse, U32, U64>(type);
    case Opcode::kClz:
      if (type == Type::kU16) return nullptr;
      return wide ? &handle<LeadingZeros, U32, U64> : &handle<LeadingZeros, U32, U32>;
    case Opcode::kPopc:
      if (type == Type::kU16) return nullptr;
      return wide ? &handle<Population, U32, U64> : &handle<Population, U32, U32>;
    default:
      return nullptr;
  }
}

}  // namespace heddle::ptx::HEDDLE_LANES
