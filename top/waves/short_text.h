#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heddle {

/// A short text that is copied whole: kSize bytes, its length among them.
template <std::size_t kSize>
class ShortText {
 public:
  ShortText() = default;
  explicit ShortText(std::string_view text) : length_(static_cast<std::uint8_t>(text.size())) {
    if (text.size() > chars_.size()) {
      throw std::length_error("a name of a value in waves is too long: " + std::string(text));
    }
    std::copy_n(text.data(), text.size(), chars_.data());
  }

  /// Writes it to `at`, and something behind it, kSize bytes in all; returns its end.
  char* put(char* at) const {
    static_assert(sizeof *this == kSize);
    std::memcpy(at, this, kSize);
    return at + length_;
  }

 private:
  std::array<char, kSize - 1> chars_{};
  std::uint8_t length_ = 0;
};

}  // namespace heddle
