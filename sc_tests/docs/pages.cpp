#include "sc_tests/docs/pages.h"

#include <cctype>
#include <sstream>

namespace heddle::test {
namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' || c == '/';
}

/// Past blanks, and past a line's end with the comment marks that the next line begins with.
std::size_t past_blanks(const std::string& text, std::size_t at) {
  bool line_begins = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    const bool blank = c == ' ' || c == '\n' || (line_begins && (c == '/' || c == '#' || c == '*'));
    if (!blank) break;
    line_begins = line_begins || c == '\n';
  }
  return at;
}

/// The quoted text that begins at `at`, or after blanks, with its end in `at`; "" when there is
/// none.
std::string quoted(const std::string& text, std::size_t& at) {
  std::size_t from = past_blanks(text, at);
  if (text.compare(from, 1, "\\") == 0) ++from;
  if (text.compare(from, 1, "\"") != 0) return "";
  std::string content;
  for (++from; from < text.size() && text[from] != '"'; ++from) {
    if (text[from] == '\n') {
      from = past_blanks(text, from) - 1;
      content += ' ';
    } else if (text[from] != '\\') {
      content += text[from];
    }
  }
  at = from + 1;
  return content;
}

/// `separator`, after blanks: moves `at` past it.
bool take(const std::string& text, std::size_t& at, const std::string& separator) {
  const std::size_t from = past_blanks(text, at);
  if (text.compare(from, separator.size(), separator) != 0) return false;
  at = from + separator.size();
  return true;
}

std::vector<std::string> sections_named_at(const std::string& text, std::size_t at) {
  std::vector<std::string> sections;
  if (text.compare(at, 1, "`") == 0 || text.compare(at, 1, ")") == 0) ++at;  // in back quotes, or as a link
  while (take(text, at, ",") || (!sections.empty() && take(text, at, "and"))) {
    const std::string section = quoted(text, at);
    if (section.empty()) break;
    sections.push_back(section);
  }
  return sections;
}

/// A page cut into prose and code.
struct Cut {
  std::string prose;
  std::string code;
};

Cut cut(const std::string& page) {
  Cut cut;
  bool fenced = false;
  bool quoted = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 3, "```") == 0) {
      fenced = !fenced;
      continue;
    }
    const bool indented = line.compare(0, 4, "    ") == 0;
    if (line.empty()) quoted = false;
    for (const char c : line + "\n") {
      if (c == '`' && !fenced) {
        quoted = !quoted;
        cut.code += ' ';
      } else if (fenced || indented || quoted) {
        cut.code += c;
      } else {
        cut.prose += c;
      }
    }
  }
  return cut;
}

}  // namespace

std::vector<Citation> citations(const std::string& text) {
  static const std::string kExtension = ".md";
  std::vector<Citation> found;
  for (std::size_t at = text.find(kExtension); at != std::string::npos; at = text.find(kExtension, at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && is_name_character(text[begin - 1])) --begin;
    const std::size_t end = at + kExtension.size();
    const bool ends = end >= text.size() || !is_name_character(text[end]) ||
                      (text[end] == '.' && (end + 1 == text.size() || !is_name_character(text[end + 1])));
    if (begin == at || !ends || text.compare(begin, 2, "//") == 0) continue;
    found.push_back({text.substr(begin, end - begin), sections_named_at(text, end)});
  }
  return found;
}

std::set<std::string> headings(const std::string& page) {
  std::set<std::string> headings;
  bool fenced = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 3, "```") == 0) fenced = !fenced;
    const std::size_t level = line.find_first_not_of('#');
    if (fenced || level == 0 || level == std::string::npos || line[level] != ' ') continue;
    headings.insert(line.substr(level + 1));
  }
  return headings;
}

std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ') {
      anchor += '-';
    } else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') {
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return anchor;
}

std::vector<std::string> relative_links(const std::string& page) {
  const std::string prose = cut(page).prose;
  std::vector<std::string> links;
  for (std::size_t at = prose.find("]("); at != std::string::npos; at = prose.find("](", at + 1)) {
    const std::string target = prose.substr(at + 2, prose.find(')', at) - at - 2);
    if (target.find(':') == std::string::npos) links.push_back(target);
  }
  return links;
}

std::vector<std::string> code_words(const std::string& page) {
  static const std::string kPunctuation = ",;:.()'\"";
  std::vector<std::string> words;
  std::istringstream code(cut(page).code);
  for (std::string word; code >> word;) {
    const std::size_t first = word.find_first_not_of(kPunctuation);
    if (first == std::string::npos) continue;
    words.push_back(word.substr(first, word.find_last_not_of(kPunctuation) - first + 1));
  }
  return words;
}

std::string path_pattern(std::string path) {
  static const std::string kName = "NAME";
  for (std::size_t at; (at = path.find(kName)) != std::string::npos;) path.replace(at, kName.size(), "*");
  std::string pattern;
  bool placeholder = false;
  for (const char c : path) {
    if (c == '<') {
      placeholder = true;
      pattern += "[^/]+";
    } else if (c == '>') {
      placeholder = false;
    } else if (placeholder) {
      continue;
    } else if (c == '*') {
      pattern += "[^/]*";
    } else if (c == '{') {
      pattern += "(";
    } else if (c == '}') {
      pattern += ")";
    } else if (c == ',') {
      pattern += "|";
    } else {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '/') pattern += '\\';
      pattern += c;
    }
  }
  return pattern;
}

}  // namespace heddle::test
