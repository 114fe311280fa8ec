#pragma once

#include <optional>
#include <string>

#include "top/experiment/point/point_job.h"
#include "top/experiment/point/point_result.h"

namespace heddle {

/// Notes in the folder of a run, where its results stay, how the run ended: in point.json, when what it has
/// left is on the disk. Nothing of one that may end otherwise the next time, as at a limit of time. Throws
/// OutputError.
void note_kept_run(const std::string& folder, const PointResult& result);

/// How the run of `job` ended that has left its results in `folder`; nothing when they are of another run, or
/// some of them are missing.
std::optional<PointResult> find_kept_run(const std::string& folder, const PointJob& job);

}  // namespace heddle
