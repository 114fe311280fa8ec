#include "top/support/ptxas.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <optional>
#include <sstream>
#include <vector>

namespace heddle {

namespace {

constexpr const char* kProgram = "ptxas";

struct Ended {
  int code = 0;
  std::string output;  ///< stdout and stderr
};

/// Both ends of a pipe, closed at the latest at the end.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw PtxasError("ptxas: no pipe to read what it says");
  }
  ~Pipe() {
    close_writer();
    close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

Ended run(std::vector<std::string> words) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  Pipe pipe;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, pipe.writer(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, pipe.writer(), STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv.front(), &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    throw PtxasError(
        fmt::format("--registers: {} can't be started: {}", words.front(), std::strerror(error)));
  }
  pipe.close_writer();
  Ended ended;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = read(pipe.reader(), buffer.data(), buffer.size())) != 0;) {
    if (count > 0) ended.output.append(buffer.data(), static_cast<std::size_t>(count));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ended;
}

/// What stands between `before` and `after` in a line.
std::optional<std::string> between(const std::string& line, const std::string& before,
                                   const std::string& after) {
  const std::size_t begin = line.find(before);
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t end = line.find(after, begin + before.size());
  if (end == std::string::npos) return std::nullopt;
  return line.substr(begin + before.size(), end - begin - before.size());
}

}  // namespace

std::map<std::string, unsigned> read_ptxas_registers(const std::string& output) {
  std::map<std::string, unsigned> found;
  std::string kernel;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (const auto name = between(line, "Compiling entry function '", "'")) kernel = *name;
    const auto count = between(line, "Used ", " registers");
    if (!count || kernel.empty()) continue;
    found[kernel] = static_cast<unsigned>(std::stoul(*count));
    kernel.clear();  // device functions that follow have counts of their own
  }
  return found;
}

bool is_ptxas_request(const std::string& source) {
  const std::string with_gpu = std::string(kProgram) + ":";
  return source == kProgram ||
         (source.compare(0, with_gpu.size(), with_gpu) == 0 && source.size() > with_gpu.size());
}

std::map<std::string, unsigned> ptxas_registers(const std::string& source, const std::string& ptx_path) {
  std::vector<std::string> words{kProgram, "-v", "-o", "/dev/null"};
  const std::size_t colon = source.find(':');
  if (colon != std::string::npos) {
    words.emplace_back("--gpu-name");
    words.push_back(source.substr(colon + 1));
  }
  words.push_back(ptx_path);
  const Ended ended = run(words);
  if (ended.code != 0) {
    std::string command;
    for (const std::string& word : words) command += (command.empty() ? "" : " ") + word;
    throw PtxasError(fmt::format("--registers {}: {} failed: {}", source, command,
                                 ended.output.substr(0, ended.output.find('\n'))));
  }
  return read_ptxas_registers(ended.output);
}

}  // namespace heddle
