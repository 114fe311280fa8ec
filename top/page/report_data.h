#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heddle {

/// What a report shows of the runs in `folders`, each of one run or of several (compare, sweep, pairs), or a
/// database of experiments: the figures of every stats.json and cost.json, and what single sections need
/// (run_parts()). What runs have in common is said once: "config" and "defaults" of all keys, each run's own
/// where it differs; "costs", which runs name by their place; "first_only" names the parts that later runs
/// may have, too. Of folders that `heddle reproduce` has written it is reproduction_data(). Throws
/// ResultsError.
nlohmann::json report_data(const std::vector<std::string>& folders);

}  // namespace heddle
