// Integer products: mul and mad with .lo, .hi and .wide, mul24, mad24.

#include <limits>
#include <type_traits>

#include "workloads/ptx/lanes/select.h"
#include "workloads/ptx/lanes/wide.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

struct Low {
  template <class V>
  V operator()(V a, V b) const {
    using U = std::conditional_t<(sizeof(V) < 4), std::uint32_t, std::make_unsigned_t<V>>;
    return static_cast<V>(static_cast<U>(a) * static_cast<U>(b));
  }
};
struct High {
  template <class V>
  V operator()(V a, V b) const {
    return high_part(a, b);
  }
};
template <class Product>
struct AddTo {
  template <class V>
  V operator()(V a, V b, V c) const {
    using U = std::make_unsigned_t<V>;
    return static_cast<V>(static_cast<U>(static_cast<U>(Product{}(a, b)) + static_cast<U>(c)));
  }
};

struct Wide {
  template <class V>
  auto operator()(V a, V b) const {
    using W = Doubled<V>;
    return static_cast<W>(static_cast<W>(a) * static_cast<W>(b));
  }
};
struct WideAdd {
  template <class V, class W>
  W operator()(V a, V b, W c) const {
    using U = std::make_unsigned_t<W>;
    return static_cast<W>(static_cast<U>(static_cast<U>(Wide{}(a, b)) + static_cast<U>(c)));
  }
};

struct HighAddSaturated {
  std::int32_t operator()(std::int32_t a, std::int32_t b, std::int32_t c) const {
    const std::int64_t sum = std::int64_t{high_part(a, b)} + c;
    constexpr std::int64_t kLow = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t kHigh = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(sum < kLow ? kLow : sum > kHigh ? kHigh : sum);
  }
};

/// The low 24 bits of a value, sign- or zero-extended by its type.
inline std::int64_t low24(std::int32_t a) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << 8U) / 256;
}
inline std::int64_t low24(std::uint32_t a) { return a & 0xFFFFFFU; }

struct Low24 {
  template <class V>
  V operator()(V a, V b) const {
    return static_cast<V>(low24(a) * low24(b));
  }
};
struct High24 {  // bits 47..16 of the 48-bit product
  template <class V>
  V operator()(V a, V b) const {
    return static_cast<V>(static_cast<std::uint64_t>(low24(a) * low24(b)) >> 16U);
  }
};
struct High24AddSaturated {
  std::int32_t operator()(std::int32_t a, std::int32_t b, std::int32_t c) const {
    const std::int64_t sum = std::int64_t{High24{}(a, b)} + c;
    constexpr std::int64_t kLow = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t kHigh = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(sum < kLow ? kLow : sum > kHigh ? kHigh : sum);
  }
};

Handler select_wide(Opcode opcode, Type type) {
  const bool add = opcode == Opcode::kMad;
  switch (type) {
    case Type::kU16:
      return add ? &handle<WideAdd, U32, U16, U16, U32> : &handle<Wide, U32, U16, U16>;
    case Type::kS16:
      return add ? &handle<WideAdd, S32, S16, S16, S32> : &handle<Wide, S32, S16, S16>;
    case Type::kU32:
      return add ? &handle<WideAdd, U64, U32, U32, U64> : &handle<Wide, U64, U32, U32>;
    case Type::kS32:
      return add ? &handle<WideAdd, S64, S32, S32, S64> : &handle<Wide, S64, S32, S32>;
    default:
      return nullptr;
  }
}

Handler select_24(const Operation& operation) {
  const bool high = operation.mul_part == MulPart::kHi;
  const Type type = operation.type;
  if (operation.opcode == Opcode::kMul24) {
    return high ? binary<High24, U32, S32>(type) : binary<Low24, U32, S32>(type);
  }
  if (operation.sat)
    return high && type == Type::kS32 ? &handle<High24AddSaturated, S32, S32, S32, S32> : nullptr;
  return high ? ternary<AddTo<High24>, U32, S32>(type) : ternary<AddTo<Low24>, U32, S32>(type);
}

}  // namespace

Handler select_multiply(const Operation& operation) {
  const Type type = operation.type;
  if (operation.opcode == Opcode::kMul24 || operation.opcode == Opcode::kMad24) return select_24(operation);
  if (operation.mul_part == MulPart::kWide) return select_wide(operation.opcode, type);
  const bool high = operation.mul_part == MulPart::kHi;
  if (operation.opcode == Opcode::kMul) {
    return high ? binary<High, U16, S16, U32, S32, U64, S64>(type)
                : binary<Low, U16, S16, U32, S32, U64, S64>(type);
  }
  if (operation.sat)
    return high && type == Type::kS32 ? &handle<HighAddSaturated, S32, S32, S32, S32> : nullptr;
  return high ? ternary<AddTo<High>, U16, S16, U32, S32, U64, S64>(type)
              : ternary<AddTo<Low>, U16, S16, U32, S32, U64, S64>(type);
}

}  // namespace heddle::ptx::HEDDLE_LANES
