#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "workloads/ptx/lanes/rows.h"

namespace heddle::ptx::HEDDLE_LANES {

template <class To>
struct CastTo {
  template <class From>
  To operator()(From value) const {
    return static_cast<To>(value);
  }
};

/// cvt.sat between integers: the nearest value that the destination can hold.
template <class To>
struct SaturateTo {
  template <class From>
  To operator()(From value) const {
    using Limits = std::numeric_limits<To>;
    if (value < 0) {
      if constexpr (!std::is_signed_v<To>) return To{0};
      return static_cast<std::int64_t>(value) < static_cast<std::int64_t>(Limits::min())
                 ? Limits::min()
                 : static_cast<To>(value);
    }
    return static_cast<std::uint64_t>(value) > static_cast<std::uint64_t>(Limits::max())
               ? Limits::max()
               : static_cast<To>(value);
  }
};

/// The value rounded to an integer.
template <Rounding kRounding, class V>
inline V to_integral(V value) {
  switch (kRounding) {
    case Rounding::kRni:
      return std::nearbyint(value);
    case Rounding::kRmi:
      return std::floor(value);
    case Rounding::kRpi:
      return std::ceil(value);
    default:
      return std::trunc(value);
  }
}

template <Rounding kRounding>
struct Integral {
  template <class V>
  V operator()(V value) const {
    return to_integral<kRounding>(value);
  }
};

/// Float to integer: rounded, then clamped to the destination's range. NaN gives 0, but of doubles and in 64
/// bits the highest bit alone (PTX ISA 9.0, "cvt").
template <Rounding kRounding, class To>
struct ToInteger {
  template <class From>
  To operator()(From value) const {
    using Limits = std::numeric_limits<To>;
    constexpr auto kLow = static_cast<double>(Limits::min());
    constexpr bool kNanIsHighest = sizeof(From) == 8 || sizeof(To) == 8;
    constexpr To kOfNan = !kNanIsHighest         ? To{0}
                          : std::is_signed_v<To> ? Limits::min()
                                                 : static_cast<To>(Limits::max() / 2 + 1);
    const double rounded = to_integral<kRounding>(static_cast<double>(value));
    if constexpr (sizeof(To) < 8) {  // both limits are doubles: clamping needs no branch
      constexpr auto kHigh = static_cast<double>(Limits::max());
      const double number = rounded == rounded ? rounded : static_cast<double>(kOfNan);
      const double bounded = number > kLow ? number : kLow;
      return static_cast<To>(bounded < kHigh ? bounded : kHigh);
    } else {
      constexpr double kAbove = std::is_signed_v<To> ? 9223372036854775808.0 : 18446744073709551616.0;
      if (rounded != rounded) return kOfNan;
      if (rounded >= kAbove) return Limits::max();
      return rounded <= kLow ? Limits::min() : static_cast<To>(rounded);
    }
  }
};

inline float half_to_float(std::uint32_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16U;
  const std::uint32_t exponent = half >> 10U & 0x1FU;
  const std::uint32_t fraction = half & 0x3FFU;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(static_cast<std::int32_t>(fraction)) * 5.9604644775390625e-8F;
    return bit_copy<float>(bit_copy<std::uint32_t>(magnitude) | sign);
  }
  if (exponent == 0x1F) return bit_copy<float>(sign | 0x7F800000U | fraction << 13U);
  return bit_copy<float>(sign | (exponent + 112U) << 23U | fraction << 13U);
}

/// Rounded to nearest even; NaN gives the canonical 0x7FFF.
inline std::uint32_t float_to_half(float value) {
  const auto bits = bit_copy<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16U & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) return 0x7FFFU;
  if (magnitude >= 0x47800000U) return sign | 0x7C00U;
  if (magnitude < 0x38800000U) {  // subnormal: the sum has 2^-24 as its last bit and does the rounding
    const float sum = bit_copy<float>(magnitude) + 0.5F;
    return sign | (bit_copy<std::uint32_t>(sum) - 0x3F000000U);
  }
  const std::uint32_t rounded = magnitude + 0xFFFU + (magnitude >> 13U & 1U);
  return sign | ((rounded - (112U << 23U)) >> 13U);
}

/// Any other rounding than of a float to nearest; what is too large becomes the greatest number or infinity,
/// as the rounding says. Integers pass as doubles: those that a double can't hold are too large anyway.
template <Rounding kRounding>
struct ToHalf {
  template <class From>
  std::uint16_t operator()(From from) const {
    const auto value = static_cast<double>(from);
    const auto bits = bit_copy<std::uint64_t>(value);
    const bool negative = bits >> 63U != 0;
    const std::uint32_t sign = negative ? 0x8000U : 0U;
    if (value != value) return 0x7FFFU;
    if (std::isinf(value)) return static_cast<std::uint16_t>(sign | 0x7C00U);
    // The last place of a half is 2^(exponent - 10), 2^-24 at least: counted in it, the value is exact.
    const auto biased = static_cast<std::int32_t>(bits >> 52U & 0x7FFU);
    const std::int32_t exponent = biased - 1023 > -14 ? biased - 1023 : -14;
    const auto scale = bit_copy<double>(static_cast<std::uint64_t>(1023 + 10 - exponent) << 52U);
    const double places = std::fabs(value) * scale;
    constexpr bool kNearest = kRounding == Rounding::kNone || kRounding == Rounding::kRn;
    const bool away = kRounding == Rounding::kRp ? !negative : kRounding == Rounding::kRm && negative;
    const double rounded = kNearest ? std::nearbyint(places) : away ? std::ceil(places) : std::floor(places);
    const std::int32_t half = (exponent + 14) * 1024 + static_cast<std::int32_t>(rounded);
    const std::int32_t most = kNearest || away ? 0x7C00 : 0x7BFF;
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(half < 0x7C00 ? half : most));
  }
};

/// f16, computed in f32.
struct F16 {
  static constexpr Type kType = Type::kF16;
  using Value = float;
  using Row = Row32;
  static Value get(Row row) { return half_to_float(row); }
  static Row put(Value value) { return float_to_half(value); }
};

}  // namespace heddle::ptx::HEDDLE_LANES
