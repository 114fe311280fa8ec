#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Columns of a terminal that a text takes: 2 of a wide character (Unicode's East Asian Width W and F), none
/// of a combining one, 1 of any other; of bytes that are no UTF-8 one each.
std::size_t display_width(std::string_view text);

/// `text` with spaces on the left or on the right, up to `width` columns.
std::string pad_left(std::string_view text, std::size_t width);
std::string pad_right(std::string_view text, std::size_t width);

/// The columns of its longest word, as wrap_text() takes words.
std::size_t longest_word(std::string_view text);

/// Lines of at most `width` columns (from 2 on), broken at spaces; a longer word is broken after one of
/// "/,;|+_-.=:", else anywhere. One line at least.
std::vector<std::string> wrap_text(std::string_view text, std::size_t width);

/// Paragraphs, which line breaks end, wrapped to `width` (0: left as they are), each line after a margin of
/// `indent` spaces.
std::string fill_text(std::string_view text, std::size_t width, std::size_t indent = 0);

}  // namespace heddle
