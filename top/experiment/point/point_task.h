#pragma once

#include <cstdint>
#include <string>

#include "top/experiment/point/point_identity.h"

namespace heddle {

/// A point that is to be run.
struct PointTask {
  Point point;
  PointIdentity identity;
  std::string id;
  std::string folder = {};            ///< where its run's results stay; "": they go to a database
  PointMachine machine;               ///< nothing in it when the configuration can't be read
  bool retry = false;                 ///< a failure that is stored does not count
  std::uint64_t attempts_before = 0;  ///< when it was planned
};

/// Of a point that ended with `code`: what it was to do is done.
bool is_done(const Point& point, int code);

/// Its label.
std::string workload_of(const PointTask& task);

}  // namespace heddle
