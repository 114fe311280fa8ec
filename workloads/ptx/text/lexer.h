#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::ptx {

/// Place in a PTX file, 1-based.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// A token of PTX. `text` points into the file's text.
struct Token {
  enum class Kind : std::uint8_t {
    kIdentifier,   ///< name, %register, $label, _
    kDotted,       ///< .reg, .x, .L2::128B: text without the dot
    kInteger,      ///< value: two's complement bits
    kFloat32,      ///< 0f3F800000; value: IEEE bits
    kFloat64,      ///< 0d... or 1.5; value: IEEE bits
    kString,       ///< text without the quotes
    kPunctuation,  ///< one character, or << and >>
    kEnd,
  };
  Kind kind = Kind::kEnd;
  std::string_view text;
  Position position;
  std::uint64_t value = 0;

  bool is(char punctuation) const {
    return kind == Kind::kPunctuation && text.size() == 1 && text.front() == punctuation;
  }
  bool is_dotted(std::string_view name) const { return kind == Kind::kDotted && text == name; }
};

/// The tokens of `text` without comments; the last one is kEnd. `file` is used in messages. Throws PtxError.
std::vector<Token> tokenize(std::string_view text, const std::string& file);

}  // namespace heddle::ptx
