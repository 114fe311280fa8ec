#include "top/options/compile_options.h"

#include "top/support/ptxas.h"

namespace heddle {

ptx::CompileOptions compile_options(const GpuConfig& config, const WorkloadOptions& options,
                                    const Workload& workload) {
  ptx::CompileOptions compile;
  compile.max_registers = config.core.max_registers_per_thread;
  if (!options.registers.empty()) compile.registers = ptxas_registers(options.registers, workload.ptx_path);
  return compile;
}

}  // namespace heddle
