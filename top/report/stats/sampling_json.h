#pragma once

#include <nlohmann/json.hpp>

#include "top/report/stats/stats_json.h"

namespace heddle {

/// "sampling" of stats.json, of a run for which it was wanted: whether figures are estimates, of what, and
/// half the 95% confidence interval of each.
nlohmann::ordered_json sampling_json(const RunDescription& description, const RunResult& result,
                                     const StatRegistry& registry);
/// The same of one launch, without the intervals of its counts.
nlohmann::ordered_json sampling_json(const LaunchSampling& sampling, const LaunchResult& launch,
                                     const RunDescription& description, const StatRegistry& registry);

}  // namespace heddle
