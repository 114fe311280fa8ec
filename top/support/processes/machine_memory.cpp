#include "top/support/processes/machine_memory.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle {

namespace {

namespace fs = std::filesystem;

/// 0: the file is not there or says that there is no limit ("max").
std::uint64_t limit_in(const fs::path& file) {
  std::string text;
  std::getline(std::ifstream(file), text);
  std::uint64_t bytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), bytes);
  return bytes;
}

std::uint64_t least(std::uint64_t a, std::uint64_t b) { return a == 0 || b == 0 ? a + b : std::min(a, b); }

/// Of a group and those around it. A process in a container sees its own group as the uppermost.
std::uint64_t least_limit(const fs::path& mounted, fs::path group, const char* file) {
  std::uint64_t bytes = limit_in(mounted / file);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path()) {
    bytes = least(bytes, limit_in(mounted / group / file));
  }
  return bytes;
}

}  // namespace

std::uint64_t cgroup_memory_bytes(const std::string& groups_of_process, const std::string& mounted) {
  std::uint64_t bytes = 0;
  // Lines are "NUMBER:CONTROLLERS:GROUP"; version 2 has no controllers.
  std::istringstream lines(groups_of_process);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (controllers == ",,") bytes = least(bytes, least_limit(mounted, group, "memory.max"));
    if (controllers.find(",memory,") != std::string::npos) {
      bytes = least(bytes, least_limit(fs::path(mounted) / "memory", group, "memory.limit_in_bytes"));
    }
  }
  return bytes;
}

std::uint64_t machine_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGE_SIZE);
  const std::uint64_t machine =
      pages > 0 && page_bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes)
                                  : 0;
  std::ostringstream groups;
  groups << std::ifstream("/proc/self/cgroup").rdbuf();
  return least(machine, cgroup_memory_bytes(groups.str(), "/sys/fs/cgroup"));
}

}  // namespace heddle
