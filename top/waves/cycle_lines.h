#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "top/waves/time_line.h"

namespace heddle {

/// The lines of a VCD file that show how its only clock goes on from one cycle to the next: it falls in the
/// middle of the one and rises as the other begins. They are copied at once, but for three digits of each of
/// the two times.
class CycleLines {
 public:
  /// So many characters may be written, whatever the lines' length.
  static constexpr std::size_t kMost = 64;

  CycleLines() = default;
  /// `code`: what the file calls the clock, with the end of the line.
  explicit CycleLines(std::string code) : code_(std::move(code)) {}

  /// Whether put() can write the lines up to the rise at `units` of the file's time: both times have the same
  /// digits above the last six, and have such digits.
  bool reach(std::uint64_t units) {
    return units - begin_ - kUnitsPerCycle < kMillion - kUnitsPerCycle || begin_anew(units);
  }
  /// Writes the lines up to the rise at `units`, which they reach(), to `at`; returns their end.
  char* put(char* at, std::uint64_t units) const {
    const std::uint32_t cycle = static_cast<std::uint32_t>(units - begin_) / kThousand;
    std::memcpy(at, lines_.data(), kMost);
    std::memcpy(at + digits_at_, TimeLine::digits(cycle - 1), kDigits);
    std::memcpy(at + length_ / 2 + digits_at_, TimeLine::digits(cycle), kDigits);
    return at + length_;
  }

 private:
  static constexpr std::uint32_t kThousand = 1000;
  static constexpr std::uint64_t kMillion = 1000000;
  static constexpr std::size_t kDigits = 3;

  /// reach() when the lines are those of other times.
  bool begin_anew(std::uint64_t units);

  std::string code_;
  /// The first time with the digits above the last six of these; at first one that no time comes near to.
  std::uint64_t begin_ = std::uint64_t{1} << 63;
  std::array<char, kMost> lines_{};
  std::size_t length_ = 0;     ///< of the two halves, which are equally long
  std::size_t digits_at_ = 0;  ///< in each half
};

}  // namespace heddle
