#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle {

/// A folder without results, or with damaged ones. what() names the file.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a report shows of the runs in `folders`, each of one run or of several (compare, sweep, pairs): the
/// figures of every stats.json and cost.json. What runs have in common is said once: "config" and "defaults"
/// of all keys, each run's own where it differs; "costs", which runs name by their place. Throws ReportError.
nlohmann::json report_data(const std::vector<std::string>& folders);

}  // namespace heddle
