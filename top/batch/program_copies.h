#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace heddle {

/// One start of this program.
struct ProgramCopy {
  std::vector<std::string> arguments;  ///< without the program's name
  std::string messages_file;           ///< receives its stderr; its stdout is dropped
};

/// What is told of copies while they run.
enum class CopyEvent : std::uint8_t { kBegin, kEnd, kWait };

/// Runs this program once for each of `copies`, in their order and at most `at_a_time` at once: a process
/// has one SystemC simulation. `on_event` is told which begins and which has ended, and, with a number of no
/// meaning, every few hundredths of a second that it waits. SIGINT and
/// SIGTERM are handed on to those that run; no further ones are started then. Returns the exit codes: 128 +
/// signal of one that a signal ended, 130 of one that was not started. Throws OutputError when a process
/// can't be started.
std::vector<int> run_program_copies(const std::vector<ProgramCopy>& copies, unsigned at_a_time,
                                    const std::function<void(CopyEvent, std::size_t)>& on_event);

}  // namespace heddle
