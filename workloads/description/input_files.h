#pragma once

#include <string>
#include <vector>

#include "workloads/description/workload.h"

namespace heddle {

/// The paths of all files that a workload names: its PTX, data, and what outputs are held against.
std::vector<std::string> input_files(const Workload& workload);

}  // namespace heddle
