#include "workloads/description/workload_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace heddle {

std::string name_problem(const std::string& name) {
  constexpr std::size_t kMostBytes = 100;
  const bool forbidden = std::any_of(name.begin(), name.end(), [](char c) {
    return (c >= 0 && c < ' ') || c == '\x7f' || c == '/' || c == '\\' || c == '#';
  });
  const bool bad_start = !name.empty() && (name.front() == '.' || name.front() == '-');
  if (!name.empty() && name.size() <= kMostBytes && !forbidden && !bad_start && is_utf8(name)) return "";
  std::string shown = as_utf8(name.substr(0, kMostBytes));
  for (char& c : shown) {
    if ((c >= 0 && c < ' ') || c == '\x7f') c = '?';
  }
  return fmt::format(
      "found '{}', expected 1 to {} bytes of UTF-8 without '/', '\\', '#' and control characters that do not "
      "begin with '.' or '-'",
      shown, kMostBytes);
}

}  // namespace heddle
