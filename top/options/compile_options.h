#pragma once

#include "modules/config/gpu_config.h"
#include "top/options/options.h"
#include "workloads/description/workload.h"
#include "workloads/ptx/load.h"

namespace heddle {

/// What a workload's PTX is compiled with: the machine's limit of registers, and with --registers what ptxas
/// says of its kernels. Throws PtxasError.
ptx::CompileOptions compile_options(const GpuConfig& config, const WorkloadOptions& options,
                                    const Workload& workload);

}  // namespace heddle
