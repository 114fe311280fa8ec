#pragma once

#include <cstddef>

#include "top/options/cluster_settings.h"

namespace heddle {

/// When the process was asked to end: says how many points are done, and how to go on.
void tell_stopped_points(const char* command, std::size_t done, std::size_t points,
                         const ClusterOptions& cluster);

}  // namespace heddle
