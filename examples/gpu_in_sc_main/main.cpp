// The whole GPU in an sc_main of one's own, with memories of one's own behind its L2: a kernel from Heddle's
// folder runs on it and is checked.

#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <systemc>

#include "memory.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "top/support/project_files.h"
#include "workloads/description/workload_loader.h"

int sc_main(int /*argc*/, char** /*argv*/) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);  // the period of 700 MHz is no whole number of ps

  const heddle::ProjectFiles files(HEDDLE_DATA_DIR);
  const heddle::LoadedConfig config = heddle::load_config(files.config("gtx480"), {"core.sms=2"});
  heddle::GpuBuild build;
  build.external_memory = heddle::ExternalMemory{};
  const std::unique_ptr<heddle::Gpu> gpu = heddle::build_gpu(config, build);

  std::deque<Memory> memories;
  for (unsigned channel = 0; channel < config.config.dram.channels; ++channel) {
    const std::string name = "memory" + std::to_string(channel);
    memories.emplace_back(name.c_str(), 16.0, sc_core::sc_time(80, sc_core::SC_NS));
    gpu->memory(channel).bind(memories.back().socket);
  }

  heddle::HostProgram program(heddle::load_workload(files.workload("vector_add")), {{"n", 262144}});
  heddle::Host host("host", *gpu, program, {});
  const heddle::RunResult result = host.run();

  bool passed = result.end == heddle::RunEnd::kComplete;
  for (const heddle::CheckResult& check : program.check()) {
    passed = passed && check.passed;
    std::printf("%s\n", check.message().c_str());
  }
  std::printf("%llu core cycles, %s\n", static_cast<unsigned long long>(result.cycles),
              sc_core::sc_time_stamp().to_string().c_str());
  for (const Memory& memory : memories) {
    passed = passed && memory.read_bytes() != 0;
    std::printf("%s: %llu bytes read, %llu written\n", memory.name(),
                static_cast<unsigned long long>(memory.read_bytes()),
                static_cast<unsigned long long>(memory.written_bytes()));
  }
  return passed ? 0 : 1;
}
