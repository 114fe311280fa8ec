#pragma once

#include <vector>

#include "workloads/checks/output_check.h"
#include "workloads/description/workload.h"
#include "workloads/host/program_memory.h"

namespace heddle {

/// Throws WorkloadError for a tolerance that is negative or no finite number, and a part that is not in its
/// buffer: before anything runs.
void check_checks(const Workload& workload, const Scope& parameters, const Bindings& buffers);

/// Throws WorkloadError for an expected file that can't be read or has another length.
void check_expected_files(const Workload& workload, const Scope& parameters, const Bindings& buffers);

/// Holds the buffers against what the workload's checks say of them; one result per check, in order. Throws
/// WorkloadError when an expected file can't be read, and MemoryError.
std::vector<CheckResult> check_buffers(const Workload& workload, const Scope& parameters,
                                       const ProgramMemory& memory);

}  // namespace heddle
