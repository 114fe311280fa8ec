#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "top/experiment/database/result_database.h"

namespace heddle {

/// Prints figures as CSV: a row for each figure of each point (long), or a row for each point (wide), whose
/// columns have one type each: text, whole number or number. Points are in the order given; `wanted` says of
/// a metric whether it is exported. `take` gets the lines.
void export_long(ResultDatabase& database, const std::vector<StoredPoint>& points,
                 const std::function<bool(const std::string&)>& wanted,
                 const std::function<void(const std::string&)>& take);
void export_wide(ResultDatabase& database, const std::vector<StoredPoint>& points,
                 const std::function<bool(const std::string&)>& wanted,
                 const std::function<void(const std::string&)>& take);

}  // namespace heddle
