#pragma once

#include <map>
#include <string>
#include <utility>

#include "top/reproduction/points/result_point.h"

namespace heddle::test {

/// A complete point with counts.
inline ResultPoint made_up_point(std::map<std::string, std::string> coordinates,
                                 const std::map<std::string, double>& counts) {
  ResultPoint point;
  point.coordinates = std::move(coordinates);
  point.complete = true;
  point.status = "complete";
  for (const auto& [name, value] : counts) point.figures[name] = {value, true};
  return point;
}

}  // namespace heddle::test
