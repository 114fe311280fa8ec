#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "modules/tb_dispatcher/dispatch_policy.h"

namespace heddle {

/// `policy_intervals` of thread_blocks.json: kind, launch, SM, first and last cycle of each, in the order of
/// their ends.
nlohmann::ordered_json policy_intervals_json(const std::vector<PolicyInterval>& intervals);

}  // namespace heddle
