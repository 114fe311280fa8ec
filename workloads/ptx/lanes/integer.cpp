// Integer arithmetic that keeps its type: add, sub, min, max, abs, neg, div, rem, sad and saturation.

#include <limits>
#include <type_traits>

#include "workloads/ptx/lanes/select.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

struct Add {
  template <class V>
  V operator()(V a, V b) const {
    return static_cast<V>(a + b);
  }
};
struct Subtract {
  template <class V>
  V operator()(V a, V b) const {
    return static_cast<V>(a - b);
  }
};
struct Negate {
  template <class V>
  V operator()(V a) const {
    return static_cast<V>(V{0} - a);
  }
};
struct Minimum {
  template <class V>
  V operator()(V a, V b) const {
    return a < b ? a : b;
  }
};
struct Maximum {
  template <class V>
  V operator()(V a, V b) const {
    return a > b ? a : b;
  }
};
struct Absolute {
  template <class V>
  V operator()(V a) const {  // the most negative number stays
    using U = std::make_unsigned_t<V>;
    const U bits = static_cast<U>(a);
    return static_cast<V>(a < 0 ? static_cast<U>(U{0} - bits) : bits);
  }
};
struct SumOfDifferences {
  template <class V>
  V operator()(V a, V b, V c) const {
    using U = std::make_unsigned_t<V>;
    const U x = static_cast<U>(a);
    const U y = static_cast<U>(b);
    const U difference = static_cast<U>(a < b ? y - x : x - y);
    return static_cast<V>(static_cast<U>(static_cast<U>(c) + difference));
  }
};

// Division by zero gives all ones, quotient and remainder, as the instruction sequences that GPUs run for
// them do; PTX leaves it open. The most negative number divided by -1 stays, with remainder 0.
struct Divide {
  template <class V>
  V operator()(V a, V b) const {
    if (b == 0) return static_cast<V>(~V{0});
    if (std::is_signed_v<V> && b == static_cast<V>(-1))
      return static_cast<V>(Negate{}(static_cast<std::make_unsigned_t<V>>(a)));
    return static_cast<V>(a / b);
  }
};
struct Remainder {
  template <class V>
  V operator()(V a, V b) const {
    if (b == 0) return static_cast<V>(~V{0});
    if (std::is_signed_v<V> && b == static_cast<V>(-1)) return V{0};
    return static_cast<V>(a % b);
  }
};

inline std::int32_t clamp32(std::int64_t value) {
  constexpr std::int64_t kLow = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kHigh = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(value < kLow ? kLow : value > kHigh ? kHigh : value);
}
struct AddSaturated {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return clamp32(std::int64_t{a} + b); }
};
struct SubtractSaturated {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return clamp32(std::int64_t{a} - b); }
};

/// The unsigned type of the same width: two's complement sums do not see the sign.
constexpr Type without_sign(Type type) {
  switch (type) {
    case Type::kS16:
      return Type::kU16;
    case Type::kS32:
      return Type::kU32;
    case Type::kS64:
      return Type::kU64;
    default:
      return type;
  }
}

template <class F, class Saturated>
Handler sum(const Operation& operation) {
  if (operation.sat) return operation.type == Type::kS32 ? &handle<Saturated, S32, S32, S32> : nullptr;
  return binary<F, U16, U32, U64>(without_sign(operation.type));
}

}  // namespace

Handler select_integer(const Operation& operation) {
  const Type type = plain(operation.type);
  switch (operation.opcode) {
    case Opcode::kAdd:
      return sum<Add, AddSaturated>(operation);
    case Opcode::kSub:
      return sum<Subtract, SubtractSaturated>(operation);
    case Opcode::kNeg:
      return unary<Negate, U16, U32, U64>(without_sign(type));
    case Opcode::kAbs:
      return unary<Absolute, S16, S32, S64>(type);
    case Opcode::kMin:
      return binary<Minimum, U16, U32, U64, S16, S32, S64>(type);
    case Opcode::kMax:
      return binary<Maximum, U16, U32, U64, S16, S32, S64>(type);
    case Opcode::kDiv:
      return binary<Divide, U16, U32, U64, S16, S32, S64>(type);
    case Opcode::kRem:
      return binary<Remainder, U16, U32, U64, S16, S32, S64>(type);
    case Opcode::kSad:
      return ternary<SumOfDifferences, U16, U32, U64, S16, S32, S64>(type);
    default:
      return nullptr;
  }
}

}  // namespace heddle::ptx::HEDDLE_LANES
