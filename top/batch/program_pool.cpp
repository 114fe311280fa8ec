#include "top/batch/program_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "top/support/output/atomic_file.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

namespace {

/// Between two looks: short after something has happened, so that runs of milliseconds are not waited for.
constexpr std::chrono::microseconds kShortestPause{500};
constexpr std::chrono::microseconds kLongestPause{20'000};
constexpr int kSignalBase = 128;

/// Starts the program in a process group of its own, so that a terminal's Ctrl-C comes to it once, from here.
ChildProcess start_process(const ProgramCopy& copy) {
  ChildStart start;
  start.command = {std::filesystem::read_symlink("/proc/self/exe").string()};
  start.command.insert(start.command.end(), copy.arguments.begin(), copy.arguments.end());
  start.output = ChildStart::Output::kDrop;
  start.output_file = copy.output_file;
  start.stderr_file = copy.messages_file;
  start.own_group = true;
  try {
    return ChildProcess(start);
  } catch (const std::system_error& error) {
    throw OutputError(fmt::format("{}: can't be started, or its messages not written to {}: {}",
                                  start.command.front(), copy.messages_file, error.code().message()));
  }
}

}  // namespace

unsigned copies_at_once(unsigned jobs) {
  return jobs != 0 ? jobs : std::max(std::thread::hardware_concurrency(), 1U);
}

void ProgramPool::start(std::size_t place, const ProgramCopy& copy) {
  running_.emplace(place, Running{start_process(copy), Clock::now()});
  pause_ = kShortestPause;
}

void ProgramPool::interrupt() {
  interrupted_ = true;
  for (auto& [place, running] : running_) running.process.signal(SIGTERM);
}

std::vector<EndedCopy> ProgramPool::wait() {
  std::this_thread::sleep_for(pause_);
  pause_ = std::min(pause_ + pause_ / 4, kLongestPause);
  if (InterruptGuard::requested() && !interrupted_) interrupt();
  std::vector<EndedCopy> ended;
  for (auto it = running_.begin(); it != running_.end();) {
    const std::optional<int> code = it->second.process.poll();
    if (!code) {
      ++it;
      continue;
    }
    // The signal from here may come before the program catches it, or when it no longer does.
    const bool from_here = interrupted_ && *code == kSignalBase + SIGTERM;
    const std::chrono::duration<double> lasted = Clock::now() - it->second.began;
    ended.push_back({it->first, from_here ? static_cast<int>(ExitCode::kInterrupted) : *code, lasted.count(),
                     it->second.process.use()});
    it = running_.erase(it);
    pause_ = kShortestPause;
  }
  return ended;
}

}  // namespace heddle
