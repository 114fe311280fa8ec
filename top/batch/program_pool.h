#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "top/support/processes/child_process.h"
#include "top/support/processes/interrupt.h"

namespace heddle {

/// One start of this program.
struct ProgramCopy {
  std::vector<std::string> arguments;  ///< without the program's name
  std::string messages_file;           ///< receives its stderr
  std::string output_file = {};        ///< receives its stdout; "": it is dropped
};

/// A copy that has ended.
struct EndedCopy {
  std::size_t place = 0;
  int code = 0;  ///< 128 + signal when a signal ended it
  double wall_seconds = 0;
  ProcessUse use = {};
};

/// How many copies run at once: `jobs`, or as many as the machine has processors when that is 0.
unsigned copies_at_once(unsigned jobs);

/// Copies of this program that run side by side: a process has one SystemC simulation. SIGINT, SIGTERM and
/// budgets that are used up are handed on to those that run. None outlives the pool.
class ProgramPool {
 public:
  std::size_t running() const { return running_.size(); }
  /// `place` is told of it when it ends. Throws OutputError when it can't be started.
  void start(std::size_t place, const ProgramCopy& copy);
  /// Waits for a moment, up to some hundredths of a second, and returns those that have ended.
  std::vector<EndedCopy> wait();
  /// No further copy is to be started.
  bool interrupted() const { return interrupted_ || InterruptGuard::requested(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    ChildProcess process;
    Clock::time_point began;
  };
  void interrupt();

  const InterruptGuard guard_;
  std::map<std::size_t, Running> running_;  ///< by place
  bool interrupted_ = false;
  std::chrono::microseconds pause_{0};
};

}  // namespace heddle
