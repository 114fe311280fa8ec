#pragma once

#include "workloads/description/workload.h"
#include "workloads/ptx/execution/execute.h"

namespace heddle {

/// What a launch statement says of the launch's shape: all but the kernel's parameters. Throws WorkloadError
/// for extents that no launch may have.
ptx::LoadedModule::LaunchSpec launch_spec(const LaunchStatement& statement, const Scope& scope);

}  // namespace heddle
