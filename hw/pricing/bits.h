#pragma once

#include <cstdint>

namespace heddle::hw {

/// What an unsigned value of a declared width does at the ends of its range.
enum class Overflow : std::uint8_t {
  kWrap,      ///< modulo 2^width
  kSaturate,  ///< stays at 2^width - 1, or at 0 when subtracting
};

/// A mask of the low `width` bits; all of them from 64 on.
constexpr std::uint64_t low_bits(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// Bits that name one of `count` things: the base-2 logarithm rounded up, at least 1.
constexpr unsigned index_bits(unsigned count) {
  unsigned bits = 1;
  while (bits < 32 && (1U << bits) < count) ++bits;
  return bits;
}

/// A result of arithmetic in a declared width.
struct Sum {
  std::uint64_t value = 0;
  bool overflowed = false;  ///< wrapped or saturated
};

/// a + b in `width` bits (1 to 64); operands are cut to the width, as wires would.
constexpr Sum add_bits(std::uint64_t a, std::uint64_t b, unsigned width, Overflow overflow) {
  const std::uint64_t mask = low_bits(width);
  a &= mask;
  b &= mask;
  const std::uint64_t sum = a + b;
  if (sum >= a && sum <= mask) return {sum, false};
  return {overflow == Overflow::kSaturate ? mask : sum & mask, true};
}

/// a - b in `width` bits (1 to 64), unsigned.
constexpr Sum subtract_bits(std::uint64_t a, std::uint64_t b, unsigned width, Overflow overflow) {
  const std::uint64_t mask = low_bits(width);
  a &= mask;
  b &= mask;
  if (b <= a) return {a - b, false};
  return {overflow == Overflow::kSaturate ? 0 : (a - b) & mask, true};
}

/// `value` as a register of `width` bits would keep it.
constexpr Sum fit_bits(std::uint64_t value, unsigned width, Overflow overflow) {
  const std::uint64_t mask = low_bits(width);
  if (value <= mask) return {value, false};
  return {overflow == Overflow::kSaturate ? mask : value & mask, true};
}

}  // namespace heddle::hw
