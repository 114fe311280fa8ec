#pragma once

#include <string>
#include <vector>

#include "workloads/checks/reference_memory.h"

namespace heddle {

/// Computes on the CPU, in place, what a workload's buffers must hold at the end.
using Reference = void (*)(ReferenceMemory& memory);

/// The built-in reference called `name`, or nullptr.
Reference find_reference(const std::string& name);

/// The names of all built-in references.
std::vector<std::string> reference_names();

}  // namespace heddle
