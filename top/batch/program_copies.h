#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "top/batch/program_pool.h"

namespace heddle {

/// What is told of copies while they run.
enum class CopyEvent : std::uint8_t { kBegin, kEnd, kWait };

/// Runs this program once for each of `copies`, in their order and at most `at_a_time` at once. `on_event` is
/// told which begins and which has ended, and, with a number of no meaning, every few hundredths of a second
/// that it waits. After SIGINT and SIGTERM no further ones are started. Returns the exit codes: 128 + signal
/// of one that a signal ended, 130 of one that was not started. Throws OutputError when a process can't be
/// started.
std::vector<int> run_program_copies(const std::vector<ProgramCopy>& copies, unsigned at_a_time,
                                    const std::function<void(CopyEvent, std::size_t)>& on_event);

}  // namespace heddle
