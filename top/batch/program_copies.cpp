#include "top/batch/program_copies.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <thread>

#include "top/support/atomic_file.h"
#include "top/support/exit_code.h"
#include "top/support/interrupt.h"

namespace heddle {

namespace {

constexpr std::chrono::milliseconds kPollInterval{20};
constexpr int kFileMode = 0644;
constexpr int kSignalBase = 128;

/// Starts the program in a process group of its own, so that a terminal's Ctrl-C comes to it once, from here.
pid_t start(const ProgramCopy& copy) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> words{program};
  words.insert(words.end(), copy.arguments.begin(), copy.arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, copy.messages_file.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, kFileMode);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    throw OutputError(fmt::format("{}: can't be started, or its messages not written to {}: {}", program,
                                  copy.messages_file, std::strerror(error)));
  }
  return child;
}

/// The processes that run. None outlives it.
class Children {
 public:
  ~Children() {
    for (const auto& [child, place] : places_) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }
  std::size_t size() const { return places_.size(); }
  void add(pid_t child, std::size_t place) { places_[child] = place; }
  void interrupt() {
    interrupted_ = true;
    for (const auto& [child, place] : places_) {
      kill(child, SIGTERM);
    }
  }
  /// Enters the codes of those that have ended; how many these are.
  std::size_t collect(std::vector<int>& codes) {
    const std::size_t before = places_.size();
    for (auto it = places_.begin(); it != places_.end();) {
      int status = 0;
      const pid_t ended = waitpid(it->first, &status, WNOHANG);
      if (ended == 0 || (ended < 0 && errno == EINTR)) {
        ++it;
        continue;
      }
      codes[it->second] = code_of(status);
      it = places_.erase(it);
    }
    return before - places_.size();
  }

 private:
  int code_of(int status) const {
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    // The signal from here may come before the program catches it, or when it no longer does.
    if (interrupted_ && WTERMSIG(status) == SIGTERM) return static_cast<int>(ExitCode::kInterrupted);
    return kSignalBase + WTERMSIG(status);
  }

  std::map<pid_t, std::size_t> places_;
  bool interrupted_ = false;
};

}  // namespace

std::vector<int> run_program_copies(const std::vector<ProgramCopy>& copies, unsigned at_a_time,
                                    const std::function<void(std::size_t)>& on_end) {
  const InterruptGuard guard;
  std::vector<int> codes(copies.size(), static_cast<int>(ExitCode::kInterrupted));
  Children children;
  std::size_t next = 0;
  std::size_t ended = 0;
  bool interrupted = false;
  while (children.size() > 0 || (next < copies.size() && !interrupted)) {
    while (!interrupted && children.size() < at_a_time && next < copies.size()) {
      children.add(start(copies[next]), next);
      ++next;
    }
    std::this_thread::sleep_for(kPollInterval);
    if (InterruptGuard::requested() && !interrupted) {
      interrupted = true;
      children.interrupt();
    }
    if (const std::size_t more = children.collect(codes); more > 0) {
      ended += more;
      on_end(ended);
    }
  }
  return codes;
}

}  // namespace heddle
