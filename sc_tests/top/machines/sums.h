// What must add up in the stats.json of every run.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heddle::test {

/// The sums in `stats` that do not close, a line each, and under `checked` how many were looked at. Of runs
/// that are complete also those of what begins and ends.
struct Sums {
  unsigned checked = 0;
  std::string open;
};
Sums check_sums(const nlohmann::json& stats);

/// Likewise of what profile.json must have in common with the stats.json of its run, and within itself.
Sums check_profile(const nlohmann::json& profile, const nlohmann::json& stats);

}  // namespace heddle::test
