#include "sc_tests/fuzz/inputs/workload_writer.h"
#include "sc_tests/fuzz/runs/bounded_launch.h"
#include "sc_tests/fuzz/runs/small_workload.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "workloads/host/functional_run.h"
#include "workloads/host/host_program.h"

namespace heddle::fuzz {

namespace {

constexpr std::uint64_t kMostWorkloadSteps = 20'000;
constexpr unsigned kMostLaunches = 100;
constexpr std::uint64_t kMostFunctionalHostSteps = 5'000;

/// The host program for a while, and the checks of what it leaves.
void execute_launches(HostProgram& program) {
  program.set_most_steps(kMostFunctionalHostSteps);
  std::uint64_t steps_left = kMostWorkloadSteps;
  unsigned launches = 0;
  for (std::size_t stream = 0; stream < program.streams(); ++stream) {
    while (const std::unique_ptr<KernelLaunch> launch = program.next(stream)) {
      if (++launches > kMostLaunches) return;
      BoundedLaunch bounded(*launch, steps_left);
      run_functionally(bounded);
    }
  }
  program.check();
}

/// Loaded when the host program can begin.
Verdict run_workload(std::string_view input) {
  return verdict_of([input] {
    HostProgram program(small_workload(input));
    verdict_of([&program] { execute_launches(program); });
  });
}

}  // namespace

Target workload_target() {
  return {"workload", "workload files, and their host programs executed", 4096, &run_workload,
          &write_workload};
}

}  // namespace heddle::fuzz
