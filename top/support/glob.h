#pragma once

#include <string_view>

namespace heddle {

/// True when `pattern` matches the whole of `name`: * stands for any text, ? for one character, [0-3] for one
/// of a set and [!0] for one outside it.
bool glob_matches(std::string_view pattern, std::string_view name);

/// True when `pattern` may match some name that begins with `prefix`.
bool glob_may_match_below(std::string_view pattern, std::string_view prefix);

}  // namespace heddle
