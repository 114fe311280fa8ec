#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::ptx {

/// "; did you mean 'NAME'?" with the candidate fewest edits away from `found`, or "" when none is close.
std::string did_you_mean(std::string_view found, const std::vector<std::string_view>& candidates);

}  // namespace heddle::ptx
