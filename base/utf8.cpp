#include "base/utf8.h"

#include <cstdint>

namespace heddle {

namespace {

/// Bytes of the character that `text` begins with; 0 when they are none (Unicode 15, table 3-7).
std::size_t length_of_first(std::string_view text) {
  const auto byte = [text](std::size_t place) -> unsigned {
    return place < text.size() ? static_cast<std::uint8_t>(text[place]) : 0;
  };
  const auto in = [](unsigned value, unsigned low, unsigned high) { return low <= value && value <= high; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  unsigned low = 0x80;  // of the second byte
  unsigned high = 0xBF;
  if (in(first, 0xC2, 0xDF)) {
    length = 2;
  } else if (in(first, 0xE0, 0xEF)) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (in(first, 0xF0, 0xF4)) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (!in(byte(1), low, high)) return 0;
  for (std::size_t place = 2; place < length; ++place) {
    if (!in(byte(place), 0x80, 0xBF)) return 0;
  }
  return length;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = length_of_first(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string as_utf8(std::string_view text) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = length_of_first(text);
    if (length == 0) {
      const auto byte = static_cast<std::uint8_t>(text.front());
      result.append("\\x").append(1, kDigits[byte >> 4U]).append(1, kDigits[byte & 0xFU]);
      text.remove_prefix(1);
    } else {
      result.append(text.substr(0, length));
      text.remove_prefix(length);
    }
  }
  return result;
}

}  // namespace heddle
