#pragma once

#include <string>
#include <vector>

#include "workloads/description/workload.h"

namespace heddle {

/// The expression itself, after checking that it reads only `names`. Throws WorkloadError.
MarkedExpression check_names(MarkedExpression expression, const std::vector<std::string>& names);

/// The buffer called `name`, or a WorkloadError at `mark` that names those that exist.
const BufferSpec& find_buffer(const Workload& workload, const std::string& name, const SourceMark& mark);

}  // namespace heddle
