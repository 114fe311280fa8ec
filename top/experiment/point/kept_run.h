#pragma once

#include <optional>
#include <string>

#include "top/experiment/point/point_job.h"
#include "top/experiment/point/point_result.h"

namespace heddle {

/// How a run ended whose results stay in its folder, as a text; "" of one that may end otherwise the next
/// time, as at a limit of time.
std::string note_of(const PointResult& result);
/// Writes a note into the run's folder, as point.json, when what the run has left is on the disk. Throws
/// OutputError.
void write_note(const std::string& folder, const std::string& note);

/// How the run of `job` ended that has left its results in `folder`; nothing when they are of another run, or
/// some of them are missing.
std::optional<PointResult> find_kept_run(const std::string& folder, const PointJob& job);

}  // namespace heddle
