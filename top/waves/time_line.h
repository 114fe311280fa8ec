#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "top/waves/short_text.h"

namespace heddle {

/// Units of a VCD file's time in a core cycle.
constexpr std::uint64_t kUnitsPerCycle = 1000;

/// The line of a VCD file that says a time: "#" and digits, of which those of the cycle are counted up, not
/// formatted.
class TimeLine {
 public:
  void set(std::uint64_t units) {
    const std::uint64_t cycle = units / kUnitsPerCycle;
    if (cycle != cycle_ && !go_to(cycle)) return format(units);
    text_.put_at(end_, endings()[units - cycle * kUnitsPerCycle]);
  }
  const ShortText& text() const { return text_; }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  /// Thousandths, and the end of the line.
  using Ending = std::array<char, 4>;

  static const Ending* endings();
  bool go_to(std::uint64_t cycle);
  void format(std::uint64_t units);

  std::uint64_t cycle_ = kNone;  ///< of the text; kNone in cycle 0, in which a time has no leading zeros
  std::size_t end_ = 0;          ///< of the cycle's digits
  ShortText text_;
};

/// The lines of a cycle of a clock that is alone in its file: its rise and its fall, in the middle.
class CycleLines {
 public:
  /// So many bytes of a part may be copied, whatever its size.
  static constexpr std::size_t kMost = 64;
  struct Part {
    const char* chars;
    std::size_t size;
  };

  CycleLines() = default;
  /// `rise` and `fall`: of the clock's new value.
  CycleLines(std::uint64_t cycle, const ShortText& rise, const ShortText& fall);

  Part rise() const { return {chars_.data(), middle_}; }
  Part fall() const { return {chars_.data() + middle_, size_ - middle_}; }
  Part both() const { return {chars_.data(), size_}; }
  /// Goes on to the next cycle.
  void count() {
    ++cycle_;
    std::size_t digit = end_ - 1;
    for (; chars_[digit] == '9'; --digit) chars_[digit] = chars_[middle_ + digit] = '0';
    if (digit == 0) return set();
    ++chars_[digit];
    ++chars_[middle_ + digit];
  }

 private:
  void set();

  std::array<char, 2 * kMost> chars_{};
  std::size_t middle_ = 0;
  std::size_t size_ = 0;
  std::size_t end_ = 0;  ///< of the cycle's digits
  std::uint64_t cycle_ = 0;
  std::string rise_, fall_;
};

}  // namespace heddle
