#pragma once

#include <string>

namespace heddle {

/// A path as users are shown it: one below the working directory from there on ("." for that itself), any
/// other as it is.
std::string shown_path(const std::string& path);

}  // namespace heddle
