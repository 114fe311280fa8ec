// A platform of one's own with a processor that has the GPU run programs: they begin when the processor says
// so, and the simulation goes on when they have ended.

#include <cstdio>
#include <memory>
#include <systemc>

#include "gpu_device.h"
#include "processor.h"
#include "top/machine/gpu_builder.h"
#include "top/support/project_files.h"
#include "workloads/description/workload_loader.h"

int sc_main(int /*argc*/, char** /*argv*/) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);  // the period of 700 MHz is no whole number of ps

  const heddle::ProjectFiles files(HEDDLE_DATA_DIR);
  const std::unique_ptr<heddle::Gpu> gpu =
      heddle::build_gpu(heddle::load_config(files.config("gtx480"), {"core.sms=2"}));
  heddle::HostProgram add(heddle::load_workload(files.workload("vector_add")), {{"n", 32768}});
  heddle::HostProgram multiply(heddle::load_workload(files.workload("matrix_multiply")), {{"n", 64}});

  GpuDevice device("device", *gpu, {&add, &multiply});
  Processor processor("processor", 2);
  processor.socket.bind(device.socket);
  sc_core::sc_signal<bool> interrupt("interrupt");
  device.interrupt.bind(interrupt);
  processor.interrupt.bind(interrupt);

  sc_core::sc_start();
  std::printf("%.1f us in all; the processor did %llu steps of its own meanwhile\n",
              sc_core::sc_time_stamp().to_seconds() * 1e6,
              static_cast<unsigned long long>(processor.steps()));
  return processor.done() == 2 && processor.steps() != 0 ? 0 : 1;
}
