#pragma once

#include <string>
#include <vector>

namespace heddle {

/// `text` as one word of a shell's command line: as it is where that needs no quotes, else in single ones.
std::string shell_word(const std::string& text);

/// The words of a line that is made of such words with spaces between them. Quotes that are not closed reach
/// to the end.
std::vector<std::string> shell_words(const std::string& line);

}  // namespace heddle
