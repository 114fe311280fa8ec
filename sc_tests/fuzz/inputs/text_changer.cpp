#include "sc_tests/fuzz/inputs/text_changer.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace heddle::fuzz {

namespace {

constexpr std::array<const char*, 20> kOddNumbers = {"0",
                                                     "1",
                                                     "-1",
                                                     "2",
                                                     "3",
                                                     "31",
                                                     "32",
                                                     "33",
                                                     "255",
                                                     "256",
                                                     "1024",
                                                     "4096",
                                                     "65535",
                                                     "1.5",
                                                     "1e300",
                                                     "-0.0",
                                                     "0x7FFFFFFF",
                                                     "4294967296",
                                                     "9223372036854775807",
                                                     "-9223372036854775808"};

bool is_word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%' || c == '.';
}

struct Word {
  std::size_t at = 0;
  std::size_t length = 0;
};

std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word_part(text[end])) ++end;
    if (end > at) words.push_back({at, end - at});
    at = end + 1;
  }
  return words;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

/// Words that may stand for each other: numbers; registers of one kind; names.
bool alike(std::string_view a, std::string_view b) {
  const auto is_number = [](std::string_view word) {
    return std::isdigit(static_cast<unsigned char>(word[0])) != 0;
  };
  if (is_number(a) || is_number(b)) return is_number(a) && is_number(b);
  if (a[0] == '%' || b[0] == '%') return a.substr(0, 2) == b.substr(0, 2);
  const auto stem = [](std::string_view word) { return std::count(word.begin(), word.end(), '.'); };
  return stem(a) == stem(b);
}

}  // namespace

std::uint32_t TextChanger::below(std::size_t count) {
  return static_cast<std::uint32_t>(random_() % std::max<std::size_t>(count, 1));
}

std::string TextChanger::drawn_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random_());
  return bytes;
}

std::string TextChanger::fresh() {
  const std::string bytes = drawn_bytes(32 + below(200));
  test::ChoiceStream choices(bytes);
  return target_.fresh(choices);
}

std::string TextChanger::change(std::string_view input, std::size_t most_bytes) {
  const bool begin_anew = input.empty() || below(8) < 5;
  std::string text = begin_anew ? fresh() : std::string(input);
  if (!begin_anew || below(4) == 0) {
    do {
      text = change_once(std::move(text));
    } while (below(3) == 0);
  }
  if (text.size() > most_bytes) text.resize(most_bytes);
  return text;
}

std::string TextChanger::change_once(std::string text) {
  const std::uint32_t kind = below(16);
  if (kind == 0) return change_bytes_(text, text.size() + 64);
  const std::uint32_t of_lines = target_.line != nullptr ? 8 : 4;
  return kind < of_lines ? change_lines(text) : change_word(text);
}

std::string TextChanger::change_lines(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  if (lines.empty()) return text;
  const std::size_t at = below(lines.size());
  const std::size_t other = below(lines.size());
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
  switch (below(target_.line != nullptr ? 8 : 4)) {
    case 0:
      lines.erase(place);
      break;
    case 1:
      lines.insert(place, std::string(lines[other]));
      break;
    case 2:
      std::swap(lines[at], lines[other]);
      break;
    case 3:
      lines[at] = std::string(lines[other]);
      break;
    default: {
      const std::string bytes = drawn_bytes(16);
      test::ChoiceStream choices(bytes);
      lines.insert(place, target_.line(choices));
    }
  }
  return joined(lines);
}

std::string TextChanger::change_word(const std::string& text) {
  const std::vector<Word> words = words_of(text);
  if (words.empty()) return text;
  const Word word = words[below(words.size())];
  const std::string_view view = text;
  const std::string_view old = view.substr(word.at, word.length);
  std::string replacement;
  if (std::isdigit(static_cast<unsigned char>(old[0])) != 0 && below(2) == 0) {
    replacement = kOddNumbers[below(kOddNumbers.size())];
  } else {
    constexpr unsigned kTries = 20;
    for (unsigned tries = 0; tries < kTries; ++tries) {
      const Word other = words[below(words.size())];
      replacement = view.substr(other.at, other.length);
      if (replacement != old && alike(old, replacement)) break;
    }
  }
  std::string changed = text;
  return changed.replace(word.at, word.length, replacement);
}

}  // namespace heddle::fuzz
