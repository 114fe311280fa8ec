#pragma once

#include <string>

#include "workloads/description/workload.h"

namespace heddle {

/// Reads a workload file (docs/workloads.md gives its keys) and checks all that can be checked without its
/// PTX: keys, types, names of buffers, parameters and references, ranges of literals. Throws WorkloadError.
Workload load_workload(const std::string& path);

/// The same from text; `path` is used in messages and to resolve relative paths.
Workload load_workload_text(const std::string& text, const std::string& path);

}  // namespace heddle
