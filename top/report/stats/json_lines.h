#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace heddle {

/// Text of JSON for files that people look into: an element a line, but for the figures of a block, checks
/// and energies, which have a line each. Many times as fast as json.dump().
std::string in_lines(const nlohmann::ordered_json& json);

}  // namespace heddle
