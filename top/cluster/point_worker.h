#pragma once

#include <cstddef>
#include <string>

#include "top/support/processes/exit_code.h"

namespace heddle {

/// What a job of a batch runs: its points, one after the other, with their results into the batch's folder.
/// Throws ResultsError when it has no tasks, OutputError when results can't be written.
ExitCode run_points(const std::string& batch, std::size_t job);

}  // namespace heddle
