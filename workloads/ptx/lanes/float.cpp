// Floating point rounded to nearest even, f32 (with .ftz and .sat) and f64.

#include "workloads/ptx/lanes/float_functions.h"
#include "workloads/ptx/lanes/select.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

template <class V>
struct BitsOf;
template <>
struct BitsOf<float> {
  using Type = std::uint32_t;
};
template <>
struct BitsOf<double> {
  using Type = std::uint64_t;
};

// A NaN loses against a number, and -0 is less than +0: equal values differ at most in their sign bit.
struct FloatMinimum {
  template <class V>
  V operator()(V a, V b) const {
    using Bits = typename BitsOf<V>::Type;
    const V equal = bit_copy<V>(static_cast<Bits>(bit_copy<Bits>(a) | bit_copy<Bits>(b)));
    const V ordered = a < b ? a : (b < a ? b : equal);
    return a != a ? b : (b != b ? a : ordered);
  }
};
struct FloatMaximum {
  template <class V>
  V operator()(V a, V b) const {
    using Bits = typename BitsOf<V>::Type;
    const V equal = bit_copy<V>(static_cast<Bits>(bit_copy<Bits>(a) & bit_copy<Bits>(b)));
    const V ordered = a > b ? a : (b > a ? b : equal);
    return a != a ? b : (b != b ? a : ordered);
  }
};
struct FloatAbsolute {
  float operator()(float a) const { return bit_copy<float>(bit_copy<std::uint32_t>(a) & 0x7FFFFFFFU); }
  double operator()(double a) const {
    return bit_copy<double>(bit_copy<std::uint64_t>(a) & 0x7FFFFFFFFFFFFFFFU);
  }
};
struct FloatNegate {
  template <class V>
  V operator()(V a) const {
    return -a;
  }
};

/// b with the sign of a: bits, NaN or not.
struct CopySign {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return (a & 0x80000000U) | (b & 0x7FFFFFFFU);
  }
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
    return (a & 0x8000000000000000U) | (b & 0x7FFFFFFFFFFFFFFFU);
  }
};

template <class F, class In, class Out>
Handler handler_of(unsigned sources) {
  if constexpr (std::is_invocable_v<F, typename In::Value>) {
    return sources == 1 ? &handle<F, Out, In> : nullptr;
  } else if constexpr (std::is_invocable_v<F, typename In::Value, typename In::Value>) {
    return sources == 2 ? &handle<F, Out, In, In> : nullptr;
  } else {
    return sources == 3 ? &handle<F, Out, In, In, In> : nullptr;
  }
}

/// The handler of F for f32 with its flags, or for f64.
template <class F>
Handler arithmetic(const Operation& operation) {
  const unsigned sources = operation.num_src;
  if (operation.type == Type::kF32) {
    if (operation.sat) {
      return operation.ftz ? handler_of<F, F32Ftz, Float32Lane<true, true>>(sources)
                           : handler_of<F, F32, Float32Lane<false, true>>(sources);
    }
    return operation.ftz ? handler_of<F, F32Ftz, F32Ftz>(sources) : handler_of<F, F32, F32>(sources);
  }
  if (operation.type != Type::kF64 || operation.sat) return nullptr;
  return handler_of<F, F64, F64>(sources);
}

Handler copy_sign(Type type) {
  if (type == Type::kF32) return &handle<CopySign, U32, U32, U32>;
  return type == Type::kF64 ? &handle<CopySign, U64, U64, U64> : nullptr;
}

}  // namespace

Handler select_float(const Operation& operation) {
  if (operation.approx) return select_approximate(operation);
  const Rounding rounding = operation.rounding;
  if (rounding == Rounding::kRz || rounding == Rounding::kRm || rounding == Rounding::kRp) {
    return select_rounded(operation);
  }
  switch (operation.opcode) {
    case Opcode::kAdd:
      return arithmetic<FloatAdd>(operation);
    case Opcode::kSub:
      return arithmetic<FloatSubtract>(operation);
    case Opcode::kMul:
      return arithmetic<FloatMultiply>(operation);
    case Opcode::kMad:
    case Opcode::kFma:
      return arithmetic<Fused>(operation);
    case Opcode::kDiv:
      return arithmetic<FloatDivide>(operation);
    case Opcode::kRcp:
      return arithmetic<Reciprocal>(operation);
    case Opcode::kSqrt:
      return arithmetic<SquareRoot>(operation);
    case Opcode::kMin:
      return arithmetic<FloatMinimum>(operation);
    case Opcode::kMax:
      return arithmetic<FloatMaximum>(operation);
    case Opcode::kAbs:
      return arithmetic<FloatAbsolute>(operation);
    case Opcode::kNeg:
      return arithmetic<FloatNegate>(operation);
    case Opcode::kCopysign:
      return copy_sign(operation.type);
    default:
      return select_approximate(operation);
  }
}

}  // namespace heddle::ptx::HEDDLE_LANES
