#include "top/options/compile_options.h"

#include "top/support/processes/ptxas.h"

namespace heddle {

std::vector<ptx::CompileOptions> compile_options(const GpuConfig& config, const WorkloadOptions& options,
                                                 const Workload& workload) {
  std::vector<ptx::CompileOptions> files;
  for (const PtxFile& file : workload.ptx) {
    ptx::CompileOptions& compile = files.emplace_back();
    compile.max_registers = config.core.max_registers_per_thread;
    if (!options.registers.empty()) compile.registers = ptxas_registers(options.registers, file.path);
  }
  return files;
}

}  // namespace heddle
