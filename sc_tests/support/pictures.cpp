#include "sc_tests/support/pictures.h"

#include <regex>

namespace heddle::test {
namespace {

std::set<Arrow> matches(const std::string& text, const std::regex& pattern) {
  std::set<Arrow> arrows;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    arrows.insert({(*match)[1], (*match)[2]});
  }
  return arrows;
}

/// The label that begins at `begin`, without its delimiters: "..." or <...>, which may hold <tags>.
std::string label_at(const std::string& text, std::size_t begin) {
  if (text[begin] == '"') return text.substr(begin + 1, text.find('"', begin + 1) - begin - 1);
  int depth = 0;
  for (std::size_t end = begin; end < text.size(); ++end) {
    depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
    if (depth == 0) return text.substr(begin + 1, end - begin - 1);
  }
  return "";
}

}  // namespace

std::set<Arrow> arrows_of_dot(const std::string& text) {
  static const std::regex kArrow("\n *\"?([a-z0-9_/]+)\"? -> \"?([a-z0-9_/]+)\"?");
  return matches(text, kArrow);
}

std::set<std::string> label_words_of_dot(const std::string& text) {
  static const std::string kLabel = "label=";
  static const std::regex kMarkup("<[^<>]*>|\\\\[lnr]");
  static const std::regex kWord("[A-Za-z0-9_/]+");
  std::set<std::string> words;
  for (std::size_t at = text.find(kLabel); at != std::string::npos; at = text.find(kLabel, at + 1)) {
    const std::size_t begin = at + kLabel.size();
    const std::string label = std::regex_replace(label_at(text, begin), kMarkup, " ");
    for (std::sregex_iterator word(label.begin(), label.end(), kWord), end; word != end; ++word) {
      words.insert(word->str());
    }
  }
  return words;
}

std::set<Arrow> arrows_of_svg(const std::string& text) {
  static const std::regex kTitle("<title>([a-z0-9_/]+)&#45;&gt;([a-z0-9_/]+)</title>");
  return matches(text, kTitle);
}

}  // namespace heddle::test
