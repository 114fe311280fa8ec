#pragma once

#include <optional>
#include <string>
#include <vector>

#include "top/support/processes/program_group.h"

namespace heddle {

/// A tool that builds twins, while it runs; it ends with this object.
class RunningTool {
 public:
  /// `package` is the Debian package that has it. Throws RtlError when it can't be started.
  RunningTool(const std::vector<std::string>& command, const char* package);
  /// Waits for its end and returns what it printed. Throws RtlError when it fails: with the first lines of
  /// what it said. Throws Stopped when this process is asked to end.
  std::string finish();

 private:
  [[noreturn]] void refuse_missing() const;

  std::string program_;
  const char* package_;
  std::optional<ProgramGroup> running_;
};

/// Runs such a tool from its start to its end. Throws as RunningTool does.
inline std::string run_tool(const std::vector<std::string>& command, const char* package) {
  return RunningTool(command, package).finish();
}

/// The C++ compiler: $CXX, else c++.
std::string cpp_compiler();

/// The words of $CXXFLAGS, which follow the flags that twins are compiled with.
std::vector<std::string> cpp_flags();

}  // namespace heddle
