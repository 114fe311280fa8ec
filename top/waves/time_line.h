#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "top/waves/short_text.h"

namespace heddle {

/// Units of a VCD file's time in a core cycle.
constexpr std::uint64_t kUnitsPerCycle = 1000;

/// The line of a VCD file that says a time: "#" and digits, three of which are copied at once.
class TimeLine {
 public:
  /// So many characters may be written, whatever the line's length.
  static constexpr std::size_t kMost = 24;

  /// The three digits of `number`, below 1000.
  static const char* digits(std::uint32_t number) { return kDigits[number].data(); }

  /// Writes the line to `at`; returns its end.
  char* put(char* at, std::uint64_t units) {
    const std::uint64_t high = units / kMillion;
    if (high != high_) return put_other(at, units);
    const auto low = static_cast<std::uint32_t>(units - high * kMillion);
    const std::uint32_t thousands = low / kThousand;
    char* const end = begin_.put(at);
    std::memcpy(end, kDigits[thousands].data(), sizeof(Digits));
    std::memcpy(end + 3, kDigits[low - thousands * kThousand].data(), sizeof(Digits));
    return end + 3 + sizeof(Digits);
  }

 private:
  static constexpr std::uint32_t kThousand = 1000;
  static constexpr std::uint64_t kMillion = 1000000;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  /// Three digits, and the end of the line.
  using Digits = std::array<char, 4>;
  static const std::array<Digits, kThousand> kDigits;

  /// When the digits above the last six are others, or there are none.
  char* put_other(char* at, std::uint64_t units);

  std::uint64_t high_ = kNone;  ///< the digits above the last six; kNone when there are none
  ShortText<16> begin_;         ///< "#" and these digits
};

}  // namespace heddle
