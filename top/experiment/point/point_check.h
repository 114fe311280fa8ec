#pragma once

#include <vector>

#include "top/experiment/definition/points.h"

namespace heddle {

/// Before anything runs: each configuration's GPU is built and each workload loaded with its PTX; what is
/// wrong with them is thrown as by run_command. None is of kind timed.
void check_points(const std::vector<Point>& points);

}  // namespace heddle
