#pragma once

#include <cmath>
#include <limits>

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

/// Float to integer: rounded, then clamped to the destination's range; NaN gives 0.
template <Rounding kRounding, class To>
struct ToInteger {
  template <class From>
  To operator()(From value) const {
    using Limits = std::numeric_limits<To>;
    constexpr auto kLow = static_cast<double>(Limits::min());
    const double rounded = to_integral<kRounding>(static_cast<double>(value));
    if constexpr (sizeof(To) < 8) {  // both limits are doubles: clamping needs no branch
      constexpr auto kHigh = static_cast<double>(Limits::max());
      const double number = rounded == rounded ? rounded : 0.0;
      const double bounded = number > kLow ? number : kLow;
      return static_cast<To>(bounded < kHigh ? bounded : kHigh);
    } else {
      constexpr double kAbove = std::is_signed_v<To> ? 9223372036854775808.0 : 18446744073709551616.0;
      if (rounded != rounded) return 0;
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

/// f16, computed in f32.
struct F16 {
  static constexpr Type kType = Type::kF16;
  using Value = float;
  using Row = Row32;
  static Value get(Row row) { return half_to_float(row); }
  static Row put(Value value) { return float_to_half(value); }
};

}  // namespace heddle::ptx::HEDDLE_LANES
