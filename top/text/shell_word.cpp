#include "top/text/shell_word.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace heddle {

namespace {

constexpr std::string_view kPlain = "/._-+=:@%,^#";
constexpr unsigned char kFirstBeyondAscii = 0x80;

bool is_plain(unsigned char c) {
  return c >= kFirstBeyondAscii || std::isalnum(c) != 0 || kPlain.find(static_cast<char>(c)) != kPlain.npos;
}

}  // namespace

std::string shell_word(const std::string& text) {
  const bool comment = !text.empty() && text.front() == '#';
  if (!text.empty() && !comment && std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::vector<std::string> shell_words(const std::string& line) {
  std::vector<std::string> words;
  bool inside = false;  // a word
  bool quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    char c = line[at];
    if (!quoted && std::isspace(static_cast<unsigned char>(c)) != 0) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == '\'') {
      quoted = !quoted;
      continue;
    }
    if (!quoted && c == '\\' && at + 1 < line.size()) c = line[++at];
    words.back() += c;
  }
  return words;
}

}  // namespace heddle
