#include "top/rtl/twin_tools.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>
#include <sstream>
#include <system_error>

#include "top/rtl/rtl_error.h"

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

std::vector<std::string> cpp_flags() {
  const char* const chosen = std::getenv("CXXFLAGS");
  std::istringstream words(chosen == nullptr ? "" : chosen);
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

RunningTool::RunningTool(const std::vector<std::string>& command, const char* package)
    : program_(command.front()), package_(package) {
  try {
    running_.emplace(command);
  } catch (const std::system_error&) {
    refuse_missing();
  }
}

void RunningTool::refuse_missing() const {
  throw RtlError(fmt::format(
      "twins are built by {}, which can't be started here: install the Debian package {}; `heddle run` "
      "with --impl model works without it",
      program_, package_));
}

std::string RunningTool::finish() {
  std::string printed;
  int code = 0;
  try {
    printed = running_->read_output();
    code = running_->wait();
  } catch (const std::system_error&) {
    refuse_missing();
  }
  constexpr int kNotFound = 127;  // as a shell says it, where the system finds out too late
  if (code == kNotFound && printed.empty()) refuse_missing();
  if (code != 0) {
    throw RtlError(fmt::format("{} has failed with exit code {} while a twin was built: {}", program_, code,
                               printed.empty() ? "it printed nothing" : beginning_of(printed)));
  }
  return printed;
}

}  // namespace heddle
