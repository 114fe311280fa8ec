#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "top/options/options.h"

namespace heddle {

/// A name that no run will have.
struct UnknownMetric {
  std::size_t place = 0;  ///< among the wanted
  std::string hint;       ///< "; did you mean 'cycles'?", or ""
};

/// The first of `wanted` that neither stats.json of any of the runs will have nor `known` does; nothing when
/// there is none, or when a run's machine can't be built, which the run will tell.
std::optional<UnknownMetric> find_unknown_metric(const std::vector<std::string>& wanted,
                                                 const std::vector<RunOptions>& runs,
                                                 std::set<std::string> known = {});

}  // namespace heddle
