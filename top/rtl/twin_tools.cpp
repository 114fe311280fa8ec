#include "top/rtl/twin_tools.h"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "top/rtl/rtl_error.h"
#include "top/support/processes/child_process.h"

namespace heddle {

namespace {

/// The beginning of what a tool printed.
std::string beginning_of(const std::string& text) {
  constexpr unsigned kLines = 8;
  std::size_t end = 0;
  for (unsigned line = 0; line < kLines && end != std::string::npos; ++line) end = text.find('\n', end + 1);
  return text.substr(0, end);
}

}  // namespace

std::string cpp_compiler() {
  const char* const chosen = std::getenv("CXX");
  return chosen == nullptr || *chosen == '\0' ? "c++" : chosen;
}

std::string run_tool(const std::vector<std::string>& command, const char* package) {
  const std::string missing = fmt::format(
      "twins are built by {}, which can't be started here: install the Debian package {}, or run "
      "with --impl model",
      command.front(), package);
  std::string printed;
  int code = 0;
  try {
    ChildProcess tool({command, ChildStart::Output::kRead});
    printed = tool.read_output();
    code = tool.wait();
  } catch (const std::system_error&) {
    throw RtlError(missing);
  }
  constexpr int kNotFound = 127;  // as a shell says it, where the system finds out too late
  if (code == kNotFound && printed.empty()) throw RtlError(missing);
  if (code != 0) {
    throw RtlError(fmt::format("{} has failed with exit code {} while a twin was built: {}", command.front(),
                               code, printed.empty() ? "it printed nothing" : beginning_of(printed)));
  }
  return printed;
}

}  // namespace heddle
