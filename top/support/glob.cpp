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

/// With `prefix_only`, `name` may go on with any text.
bool matches(std::string_view pattern, std::string_view name, bool prefix_only) {
  while (!pattern.empty()) {
    if (pattern.front() == '*') {
      pattern.remove_prefix(1);
      for (std::size_t skip = 0; skip <= name.size(); ++skip) {
        if (matches(pattern, name.substr(skip), prefix_only)) {
          return true;
        }
      }
      return false;
    }
    if (name.empty()) {
      return prefix_only;
    }
    if (pattern.front() == '[') {
      if (!take_set(pattern, name.front())) {
        return false;
      }
    } else {
      if (pattern.front() != '?' && pattern.front() != name.front()) {
        return false;
      }
      pattern.remove_prefix(1);
    }
    name.remove_prefix(1);
  }
  return name.empty();
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view name) { return matches(pattern, name, false); }

bool glob_may_match_below(std::string_view pattern, std::string_view prefix) {
  return matches(pattern, prefix, true);
}

}  // namespace heddle
