#pragma once

#include <string>
#include <vector>

namespace heddle {

/// Runs a tool that builds twins; `package` is the Debian package that has it. Returns what it printed.
/// Throws RtlError when it can't be started, or fails: with the first lines of what it said.
std::string run_tool(const std::vector<std::string>& command, const char* package);

/// The C++ compiler: $CXX, else c++.
std::string cpp_compiler();

}  // namespace heddle
