#include "top/text/text_width.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace heddle {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

/// Marks over and under other characters, joiners, and marks of variants.
constexpr std::array<Range, 12> kNoWidth{{{0x0300, 0x036F},
                                          {0x0483, 0x0489},
                                          {0x0591, 0x05BD},
                                          {0x0610, 0x061A},
                                          {0x064B, 0x065F},
                                          {0x1AB0, 0x1AFF},
                                          {0x1DC0, 0x1DFF},
                                          {0x200B, 0x200F},
                                          {0x20D0, 0x20F0},
                                          {0xFE00, 0xFE0F},
                                          {0xFE20, 0xFE2F},
                                          {0xFEFF, 0xFEFF}}};
constexpr std::array<Range, 11> kWide{{{0x1100, 0x115F},
                                       {0x2E80, 0x303E},
                                       {0x3041, 0x33FF},
                                       {0x3400, 0x4DBF},
                                       {0x4E00, 0xA4CF},
                                       {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},
                                       {0xFF00, 0xFF60},
                                       {0x1F300, 0x1FAFF},
                                       {0x20000, 0x3FFFD}}};

template <std::size_t size>
bool is_in(const std::array<Range, size>& ranges, char32_t character) {
  return std::any_of(ranges.begin(), ranges.end(), [character](const Range& range) {
    return range.first <= character && character <= range.last;
  });
}

/// A character of a text, by its first byte and its length.
struct Character {
  std::size_t bytes;
  std::size_t columns;
};

/// The one at the beginning of `text`, which is not empty.
Character first_character(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length == 1 || length > text.size()) return {1, 1};
  char32_t character = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {1, 1};
    character = character << 6U | (byte(i) & 0x3FU);
  }
  return {length, is_in(kNoWidth, character) ? 0U : is_in(kWide, character) ? 2U : 1U};
}

/// The bytes of `word` that fill at most `width` columns: up to a break, if there is one after a third of it.
std::size_t first_part(std::string_view word, std::size_t width) {
  std::size_t bytes = 0;
  std::size_t columns = 0;
  std::size_t at_break = 0;
  while (bytes < word.size()) {
    const Character character = first_character(word.substr(bytes));
    if (columns + character.columns > width && bytes != 0) break;
    columns += character.columns;
    bytes += character.bytes;
    const bool is_break = std::string_view("/,;|+_-.=:").find(word[bytes - 1]) != std::string_view::npos;
    if (is_break && 3 * columns >= width) at_break = bytes;
  }
  return bytes == word.size() || at_break == 0 ? bytes : at_break;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t from = 0; (from = text.find_first_not_of(' ', from)) != std::string_view::npos;) {
    const std::size_t to = std::min(text.find(' ', from), text.size());
    words.push_back(text.substr(from, to - from));
    from = to;
  }
  return words;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    columns += character.columns;
    text.remove_prefix(character.bytes);
  }
  return columns;
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t columns = display_width(text);
  return std::string(width > columns ? width - columns : 0, ' ').append(text);
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t columns = display_width(text);
  return std::string(text).append(width > columns ? width - columns : 0, ' ');
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  for (const std::string_view word : words_of(text)) longest = std::max(longest, display_width(word));
  return longest;
}

std::vector<std::string> wrap_text(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t columns = 0;
  const auto end_line = [&] {
    lines.push_back(line);
    line.clear();
    columns = 0;
  };
  for (std::string_view word : words_of(text)) {
    const std::size_t wanted = display_width(word);
    if (columns != 0 && columns + 1 + wanted > width) end_line();
    if (columns != 0) {
      line += ' ';
      ++columns;
    }
    while (display_width(word) > width) {
      const std::size_t bytes = first_part(word, width);
      line = word.substr(0, bytes);
      end_line();
      word.remove_prefix(bytes);
    }
    line += word;
    columns += display_width(word);
  }
  if (!line.empty() || lines.empty()) end_line();
  return lines;
}

std::string fill_text(std::string_view text, std::size_t width, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string filled;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view paragraph = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (width == 0) {
      filled.append(paragraph.empty() ? "" : margin).append(paragraph) += '\n';
      continue;
    }
    for (const std::string& line : wrap_text(paragraph, width > indent + 2 ? width - indent : 2)) {
      filled.append(line.empty() ? "" : margin).append(line) += '\n';
    }
  }
  return filled;
}

}  // namespace heddle
