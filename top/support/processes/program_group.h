#pragma once

#include <string>
#include <vector>

#include "top/support/processes/child_process.h"

namespace heddle {

/// A program that this process reads from, and what it starts in turn: all of them end with this object. A
/// terminal's Ctrl-C does not reach them.
class ProgramGroup {
 public:
  /// Throws std::system_error when the program can't be started.
  explicit ProgramGroup(const std::vector<std::string>& command);
  /// What still runs may remove its files for a moment before it is killed.
  ~ProgramGroup();
  ProgramGroup(const ProgramGroup&) = delete;
  ProgramGroup& operator=(const ProgramGroup&) = delete;

  /// What they print, until nobody is left who could. Throws Stopped when this process is asked to end, and
  /// std::system_error.
  std::string read_output();
  /// The program's exit code, as ChildProcess::wait() has it.
  int wait() { return program_.wait(); }

 private:
  ChildProcess program_;
};

}  // namespace heddle
