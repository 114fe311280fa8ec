#pragma once

#include <string>

namespace heddle {

/// What is wrong with a workload's name, as a text, or "": names go into paths, JSON and messages, so that
/// they are UTF-8 without control characters, '/', '\\' and '#', do not begin with '.' or '-', and have 1 to
/// 100 bytes.
std::string name_problem(const std::string& name);

}  // namespace heddle
