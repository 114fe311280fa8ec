#include "top/support/processes/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

extern char** environ;

namespace heddle {

namespace {

constexpr int kLogFileMode = 0644;
constexpr int kSignalBase = 128;

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// What posix_spawn is told about files and the process group.
class SpawnSettings {
 public:
  SpawnSettings() {
    posix_spawn_file_actions_init(&files_);
    posix_spawnattr_init(&attributes_);
  }
  ~SpawnSettings() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&files_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  void open(int descriptor, const char* path, int flags) {
    posix_spawn_file_actions_addopen(&files_, descriptor, path, flags, kLogFileMode);
  }
  void duplicate(int from, int to) { posix_spawn_file_actions_adddup2(&files_, from, to); }
  void own_group() { posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP); }
  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

double seconds_of(const timeval& time) {
  constexpr double kMicro = 1e-6;
  return static_cast<double>(time.tv_sec) + kMicro * static_cast<double>(time.tv_usec);
}

ProcessUse use_of(const rusage& usage) {
  constexpr std::uint64_t kBytesPerKilobyte = 1024;
  return {seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
          static_cast<std::uint64_t>(usage.ru_maxrss) * kBytesPerKilobyte};
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status); }

}  // namespace

ChildProcess::ChildProcess(const ChildStart& start) : own_group_(start.own_group) {
  SpawnSettings settings;
  settings.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  std::array<int, 2> pipe{-1, -1};
  if (start.output == ChildStart::Output::kRead) {
    if (pipe2(pipe.data(), O_CLOEXEC) != 0) fail(errno, start.command.front());
    settings.duplicate(pipe[1], STDOUT_FILENO);
    settings.duplicate(pipe[1], STDERR_FILENO);
  } else if (start.output == ChildStart::Output::kDrop) {
    if (start.output_file.empty()) {
      settings.open(STDOUT_FILENO, "/dev/null", O_WRONLY);
    } else {
      settings.open(STDOUT_FILENO, start.output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    }
  }
  if (!start.stderr_file.empty()) {
    settings.open(STDERR_FILENO, start.stderr_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  }
  if (start.own_group) settings.own_group();
  std::vector<std::string> words = start.command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int error =
      posix_spawnp(&id_, arguments[0], settings.files(), settings.attributes(), arguments.data(), environ);
  if (pipe[1] >= 0) close(pipe[1]);
  if (error != 0) {
    if (pipe[0] >= 0) close(pipe[0]);
    fail(error, start.command.front());
  }
  output_ = pipe[0];
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(other.id_),
      own_group_(other.own_group_),
      output_(other.output_),
      code_(other.code_),
      use_(other.use_) {
  other.id_ = 0;
  other.output_ = -1;
}

ChildProcess::~ChildProcess() {
  if (output_ >= 0) close(output_);
  if (id_ == 0 || code_) return;
  kill(own_group_ ? -id_ : id_, SIGKILL);
  while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool ChildProcess::read_some(std::string& text, int milliseconds) {
  pollfd readable{output_, POLLIN, 0};
  const int ready = ::poll(&readable, 1, milliseconds);
  if (ready < 0 && errno != EINTR) fail(errno, "read from a program");
  if (ready <= 0) return true;
  std::array<char, 4096> buffer{};
  const ssize_t count = read(output_, buffer.data(), buffer.size());
  if (count < 0 && errno != EINTR) fail(errno, "read from a program");
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count != 0;
}

std::string ChildProcess::read_output() {
  std::string text;
  while (read_some(text, -1)) {
  }
  return text;
}

void ChildProcess::signal(int number) {
  if (!code_) kill(id_, number);
}

void ChildProcess::signal_group(int number) {
  if (!code_) kill(-id_, number);
}

std::optional<int> ChildProcess::collect(int wait_options) {
  if (code_) return code_;
  int status = 0;
  rusage usage{};
  const pid_t ended = wait4(id_, &status, wait_options, &usage);
  if (ended < 0 && errno != EINTR) fail(errno, "wait for a program");
  if (ended != id_) return code_;
  code_ = code_of(status);
  use_ = use_of(usage);
  return code_;
}

int ChildProcess::wait() {
  for (;;) {
    if (const std::optional<int> code = collect(0)) return *code;
  }
}

std::optional<int> ChildProcess::poll() { return collect(WNOHANG); }

}  // namespace heddle
