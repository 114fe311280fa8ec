#include "top/waves/fst_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include "top/support/atomic_file.h"

extern char** environ;

namespace heddle {

namespace {

/// Runs the command without input and output; whether it ended with 0.
bool succeeds(std::vector<std::string> command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  return error == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
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
