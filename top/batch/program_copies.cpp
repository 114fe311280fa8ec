#include "top/batch/program_copies.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "top/support/atomic_file.h"
#include "top/support/child_process.h"
#include "top/support/exit_code.h"
#include "top/support/interrupt.h"

namespace heddle {

namespace {

constexpr std::chrono::milliseconds kPollInterval{20};
constexpr int kSignalBase = 128;

/// Starts the program in a process group of its own, so that a terminal's Ctrl-C comes to it once, from here.
ChildProcess start(const ProgramCopy& copy) {
  ChildStart start;
  start.command = {std::filesystem::read_symlink("/proc/self/exe").string()};
  start.command.insert(start.command.end(), copy.arguments.begin(), copy.arguments.end());
  start.output = ChildStart::Output::kDrop;
  start.stderr_file = copy.messages_file;
  start.own_group = true;
  try {
    return ChildProcess(start);
  } catch (const std::system_error& error) {
    throw OutputError(fmt::format("{}: can't be started, or its messages not written to {}: {}",
                                  start.command.front(), copy.messages_file, error.code().message()));
  }
}

/// The processes that run. None outlives it.
class Children {
 public:
  std::size_t size() const { return running_.size(); }
  void add(ChildProcess child, std::size_t place) { running_.emplace(place, std::move(child)); }
  void interrupt() {
    interrupted_ = true;
    for (auto& [place, child] : running_) child.signal(SIGTERM);
  }
  /// Enters the codes of those that have ended, and returns which these are.
  std::vector<std::size_t> collect(std::vector<int>& codes) {
    std::vector<std::size_t> ended;
    for (auto it = running_.begin(); it != running_.end();) {
      const std::optional<int> code = it->second.poll();
      if (!code) {
        ++it;
        continue;
      }
      // The signal from here may come before the program catches it, or when it no longer does.
      const bool from_here = interrupted_ && *code == kSignalBase + SIGTERM;
      codes[it->first] = from_here ? static_cast<int>(ExitCode::kInterrupted) : *code;
      ended.push_back(it->first);
      it = running_.erase(it);
    }
    return ended;
  }

 private:
  std::map<std::size_t, ChildProcess> running_;  ///< by the place among the copies
  bool interrupted_ = false;
};

}  // namespace

std::vector<int> run_program_copies(const std::vector<ProgramCopy>& copies, unsigned at_a_time,
                                    const std::function<void(CopyEvent, std::size_t)>& on_event) {
  const InterruptGuard guard;
  std::vector<int> codes(copies.size(), static_cast<int>(ExitCode::kInterrupted));
  Children children;
  std::size_t next = 0;
  bool interrupted = false;
  while (children.size() > 0 || (next < copies.size() && !interrupted)) {
    while (!interrupted && children.size() < at_a_time && next < copies.size()) {
      children.add(start(copies[next]), next);
      on_event(CopyEvent::kBegin, next);
      ++next;
    }
    std::this_thread::sleep_for(kPollInterval);
    if (InterruptGuard::requested() && !interrupted) {
      interrupted = true;
      children.interrupt();
    }
    for (const std::size_t place : children.collect(codes)) on_event(CopyEvent::kEnd, place);
    on_event(CopyEvent::kWait, 0);
  }
  return codes;
}

}  // namespace heddle
