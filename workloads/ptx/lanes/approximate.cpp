// The .approx functions. Errors that PTX allows are in brackets; all of these are computed with plain
// operations in a fixed order, so that every build gives the same bits. The polynomials are Taylor series
// on ranges small enough that the first term left out is below half a unit of the result.

#include <cmath>

#include "workloads/ptx/lanes/float_functions.h"
#include "workloads/ptx/lanes/select.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

/// 2^n for -126 <= n <= 127.
inline float power_of_two(std::int32_t n) {
  return bit_copy<float>(static_cast<std::uint32_t>(n + 127) << 23U);
}

constexpr float kRoundToInteger = 12582912.0F;  // 1.5 * 2^23: x + this - this is x rounded to nearest even

/// 2^x [2^-22 relative], exact for integers: x = n + f with |f| <= 1/2, 2^f by its series.
struct ExponentialBase2 {
  float operator()(float x) const {
    const float high = x < 130.0F ? x : 130.0F;  // a NaN becomes 130; put back at the end
    const float clamped = high > -160.0F ? high : -160.0F;
    const float n = (clamped + kRoundToInteger) - kRoundToInteger;
    const float f = clamped - n;
    float p = 1.5252734e-5F;
    p = p * f + 1.5403530e-4F;
    p = p * f + 1.3333558e-3F;
    p = p * f + 9.6181291e-3F;
    p = p * f + 5.5504109e-2F;
    p = p * f + 2.4022651e-1F;
    p = p * f + 6.9314718e-1F;
    p = p * f + 1.0F;
    // In two steps, so that subnormal results and the largest ones come out of one rounding.
    const auto exponent = static_cast<std::int32_t>(n);
    const std::int32_t half = exponent / 2;
    const float result = (p * power_of_two(half)) * power_of_two(exponent - half);
    return x != x ? x : result;
  }
};

/// log2(x) [2^-22], exact for powers of two: x = m 2^e with m in [sqrt(1/2), sqrt(2)), and
/// ln(m) = 2 atanh(s) with s = (m - 1) / (m + 1).
struct LogarithmBase2 {
  float operator()(float x) const {
    const bool subnormal = x < 1.17549435e-38F;
    const float scaled = subnormal ? x * 16777216.0F : x;
    const auto bits = bit_copy<std::uint32_t>(scaled);
    const std::uint32_t rounded = bits + (0x3F800000U - 0x3F3504F3U);
    const auto exponent = static_cast<std::int32_t>(rounded >> 23U) - 127 - (subnormal ? 24 : 0);
    const auto m = bit_copy<float>((rounded & 0x007FFFFFU) + 0x3F3504F3U);
    const float s = (m - 1.0F) / (m + 1.0F);
    const float z = s * s;
    float p = 3.2059890e-1F;    // 2 / ln 2 / 9
    p = p * z + 4.1219859e-1F;  // / 7
    p = p * z + 5.7707802e-1F;  // / 5
    p = p * z + 9.6179669e-1F;  // / 3
    p = p * z + 2.8853901F;     // / 1
    const float finite = static_cast<float>(exponent) + s * p;
    const float infinity = __builtin_inff();
    const float positive = x < infinity ? finite : x;  // also NaN
    return x > 0.0F ? positive : (x == 0.0F ? -infinity : __builtin_nanf(""));
  }
};

/// sin or cos [2^-20.5 absolute for |x| <= pi]: x reduced to [-pi/4, pi/4] in double precision. Beyond
/// 2^40, where neighbouring arguments are thousands of periods apart, the result is some number in [-1, 1].
template <int kQuarterTurns>
struct Sinusoid {
  float operator()(float x) const {
    const double high = x < 1.0e12F ? static_cast<double>(x) : 1.0e12;
    const double clamped = high > -1.0e12 ? high : -1.0e12;
    constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: the integer is in the low bits
    const double shifted = clamped * 0.63661977236758134308 + kRound;
    const double n = shifted - kRound;
    const auto quadrant = static_cast<std::uint32_t>(bit_copy<std::uint64_t>(shifted)) + kQuarterTurns;
    const auto y = static_cast<float>(clamped - n * 1.57079632679489661923);
    const float z = y * y;
    float sine = 2.7557319e-6F;
    sine = sine * z - 1.9841270e-4F;
    sine = sine * z + 8.3333333e-3F;
    sine = sine * z - 1.6666667e-1F;
    sine = (sine * z + 1.0F) * y;  // keeps the sign of -0
    float cosine = -2.7557319e-7F;
    cosine = cosine * z + 2.4801587e-5F;
    cosine = cosine * z - 1.3888889e-3F;
    cosine = cosine * z + 4.1666667e-2F;
    cosine = cosine * z - 0.5F;
    cosine = cosine * z + 1.0F;
    const float magnitude = (quadrant & 1U) != 0 ? cosine : sine;
    const float result = (quadrant & 2U) != 0 ? -magnitude : magnitude;
    return x - x == 0.0F ? result : __builtin_nanf("");
  }
};

struct ReciprocalSquareRoot {  // [2^-22.9 relative]
  template <class V>
  V operator()(V a) const {
    return V{1} / SquareRoot{}(a);
  }
};

struct HyperbolicTangent {  // [2^-11 relative]
  float operator()(float a) const { return std::tanh(a); }
};

/// rcp and rsqrt.approx.ftz.f64: subnormals count as zeros, the low 32 bits of the result are zero.
inline double flush(double value) {
  const auto bits = bit_copy<std::uint64_t>(value);
  return bit_copy<double>((bits & 0x7FF0000000000000U) == 0 ? bits & 0x8000000000000000U : bits);
}
template <class F>
struct HighWord {
  std::uint64_t operator()(double a) const {
    const double result = flush(F{}(flush(a)));
    const auto bits = result != result ? 0xFFF8000000000000U : bit_copy<std::uint64_t>(result);
    return bits & 0xFFFFFFFF00000000U;
  }
};

template <class F, unsigned kSources>
Handler single(const Operation& operation) {
  if (operation.type != Type::kF32 || operation.num_src != kSources) return nullptr;
  if constexpr (kSources == 1) {
    return operation.ftz ? &handle<F, F32Ftz, F32Ftz> : &handle<F, F32, F32>;
  } else {
    return operation.ftz ? &handle<F, F32Ftz, F32Ftz, F32Ftz> : &handle<F, F32, F32, F32>;
  }
}

template <class F>
Handler inverse(const Operation& operation) {
  if (operation.type != Type::kF64) return single<F, 1>(operation);
  return operation.ftz ? &handle<HighWord<F>, Bits64, F64> : &handle<F, F64, F64>;
}

}  // namespace

Handler select_approximate(const Operation& operation) {
  switch (operation.opcode) {
    case Opcode::kDiv:
      return single<FloatDivide, 2>(operation);
    case Opcode::kRcp:
      return inverse<Reciprocal>(operation);
    case Opcode::kRsqrt:
      return inverse<ReciprocalSquareRoot>(operation);
    case Opcode::kSqrt:
      return single<SquareRoot, 1>(operation);
    case Opcode::kEx2:
      return single<ExponentialBase2, 1>(operation);
    case Opcode::kLg2:
      return single<LogarithmBase2, 1>(operation);
    case Opcode::kSin:
      return single<Sinusoid<0>, 1>(operation);
    case Opcode::kCos:
      return single<Sinusoid<1>, 1>(operation);
    case Opcode::kTanh:
      return single<HyperbolicTangent, 1>(operation);
    default:
      return nullptr;
  }
}

}  // namespace heddle::ptx::HEDDLE_LANES
