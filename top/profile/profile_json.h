#pragma once

#include <string>

#include "top/machine/run_result.h"
#include "top/profile/profile_counts.h"
#include "top/report/stats/stats_json.h"

namespace heddle {

/// The text of profile.json (docs/profile.md).
std::string profile_json(const RunDescription& description, const RunResult& result,
                         const ProfileCounts& counts);

}  // namespace heddle
