#include "top/waves/fst_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

#include "top/support/output/atomic_file.h"
#include "top/support/processes/child_process.h"

namespace heddle {

namespace {

/// Runs the command and drops what it prints; whether it ended with 0.
bool succeeds(const std::vector<std::string>& command) {
  ChildStart start;
  start.command = command;
  start.output = ChildStart::Output::kDrop;
  try {
    return ChildProcess(start).wait() == 0;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

std::string find_vcd2fst() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (folder.empty()) continue;
    const std::string program = (std::filesystem::path(folder) / "vcd2fst").string();
    if (std::filesystem::is_regular_file(program) && access(program.c_str(), X_OK) == 0) return program;
  }
  return "";
}

void convert_to_fst(const std::string& converter, const std::string& vcd, const std::string& fst) {
  std::error_code ignored;
  std::filesystem::remove(fst, ignored);
  if (!succeeds({converter, vcd, fst}) || !std::filesystem::exists(fst)) {
    throw OutputError(fmt::format("{}: {} can't make it of {}", fst, converter, vcd));
  }
  std::filesystem::remove(vcd, ignored);
}

}  // namespace heddle
