#pragma once

#include <vector>

#include "modules/config/gpu_config.h"
#include "top/options/options.h"
#include "workloads/description/workload.h"
#include "workloads/ptx/load.h"

namespace heddle {

/// What each PTX file of a workload is compiled with: the machine's limit of registers, and with --registers
/// what ptxas says of its kernels. Throws PtxasError.
std::vector<ptx::CompileOptions> compile_options(const GpuConfig& config, const WorkloadOptions& options,
                                                 const Workload& workload);

}  // namespace heddle
