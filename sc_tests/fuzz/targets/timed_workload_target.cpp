#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "workloads/timed/timed_launch.h"
#include "workloads/timed/timed_workload.h"

namespace heddle::fuzz {

namespace {

constexpr std::uint64_t kMostTbs = 1000;

/// With the durations drawn.
Verdict run_timed_workload(std::string_view input) {
  return verdict_of([input] {
    const std::string file = ScratchFolder::get().write("timed.yaml", input);
    if (!is_timed_workload(file)) throw std::invalid_argument("of another kind");
    for (const TimedKernel& kernel : load_timed_workload(file).kernels) {
      if (kernel.tbs <= kMostTbs) TimedLaunch launch(kernel);
    }
  });
}

}  // namespace

Target timed_workload_target() {
  return {"timed_workload", "workloads of kind `timed`", 2048, &run_timed_workload, &write_timed_workload};
}

}  // namespace heddle::fuzz
