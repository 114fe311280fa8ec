#pragma once

#include <string_view>

#include "workloads/description/workload.h"

namespace heddle::fuzz {

/// The workload of the text, as if it were a file of data/. Throws WorkloadError as load_workload() does, and
/// for buffers of more than a million elements in all, which only take their time.
Workload small_workload(std::string_view text);

}  // namespace heddle::fuzz
