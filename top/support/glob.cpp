#include "top/support/glob.h"

namespace heddle {

namespace {

/// Whether `character` is in the set that stands at the head of `pattern`; moves `pattern` behind the set. A
/// bracket that is not closed stands for itself.
bool take_set(std::string_view& pattern, char character) {
  const std::size_t close = pattern.find(']', 2);
  if (close == std::string_view::npos) {
    pattern.remove_prefix(1);
    return character == '[';
  }
  std::string_view set = pattern.substr(1, close - 1);
  pattern.remove_prefix(close + 1);
  const bool inverted = set.front() == '!' || set.front() == '^';
  set.remove_prefix(inverted ? 1 : 0);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i + 2 < set.size() && set[i + 1] == '-') {
      found = found || (set[i] <= character && character <= set[i + 2]);
      i += 2;
    } else {
      found = found || set[i] == character;
    }
  }
  return found != inverted;
}

/// Whether `pattern` begins with `character` or what stands for it; moves it behind that.
bool take(std::string_view& pattern, char character) {
  if (pattern.front() == '[') return take_set(pattern, character);
  const bool found = pattern.front() == '?' || pattern.front() == character;
  pattern.remove_prefix(1);
  return found;
}

/// With `prefix_only`, `name` may go on with any text. Of the stars only the last one that was come to takes
/// more when the rest does not match: what those before it took was the least.
bool matches(std::string_view pattern, std::string_view name, bool prefix_only) {
  bool has_star = false;
  std::string_view after_star;
  std::string_view left_to_star;
  while (!name.empty()) {
    if (!pattern.empty() && pattern.front() == '*') {
      if (prefix_only) return true;
      pattern.remove_prefix(1);
      has_star = true;
      after_star = pattern;
      left_to_star = name;
    } else if (!pattern.empty() && take(pattern, name.front())) {
      name.remove_prefix(1);
    } else if (has_star) {
      pattern = after_star;
      left_to_star.remove_prefix(1);
      name = left_to_star;
    } else {
      return false;
    }
  }
  return prefix_only || pattern.find_first_not_of('*') == std::string_view::npos;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view name) { return matches(pattern, name, false); }

bool glob_may_match_below(std::string_view pattern, std::string_view prefix) {
  return matches(pattern, prefix, true);
}

}  // namespace heddle
