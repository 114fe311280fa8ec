#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// The name of `known` that is the fewest edits (insert, delete, replace, swap of neighbours) away from
/// `name`, or "" when none is close enough to be a slip of the hand (more than a third of the letters).
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

/// "; did you mean 'X'?" with the nearest name, or "" when none is close.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& known);

/// "; did you mean 'X'? (WHAT: a, b, c)" for error messages, sorted; without the question when nothing is
/// near, and "; there are no WHAT" when `known` is empty.
std::string name_hint(const std::string& name, std::vector<std::string> known, const std::string& what);

}  // namespace heddle
