#pragma once

#include <memory>

#include "top/experiment/point_executor.h"
#include "top/options/cluster_settings.h"

namespace heddle {

/// Who runs the points of a database as the user says; nullptr: this machine.
std::unique_ptr<PointExecutor> cluster_executor(const ClusterOptions& options);

}  // namespace heddle
