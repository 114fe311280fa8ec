#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace heddle {

/// A short text that is copied whole.
struct ShortText {
  static constexpr std::size_t kMost = 48;

  ShortText() = default;
  explicit ShortText(const std::string& text) : size(text.size()) {
    if (size > kMost) throw std::length_error("a name of a value in waves is too long: " + text);
    std::copy_n(text.data(), size, chars);
  }
  std::string str() const { return {chars, size}; }

  /// Ends with `ending` from `place` on.
  template <std::size_t kSize>
  void put_at(std::size_t place, const std::array<char, kSize>& ending) {
    std::copy_n(ending.data(), kSize, chars + place);
    size = place + kSize;
  }
  /// Adds one to the decimal number behind the first character, which ends at `end`. False, and all digits 0,
  /// when it has too few of them.
  bool count(std::size_t end) {
    while (chars[end - 1] == '9') chars[--end] = '0';
    if (end == 1) return false;
    ++chars[end - 1];
    return true;
  }

  char chars[kMost] = {};
  std::size_t size = 0;
};

}  // namespace heddle
