#include "sc_tests/fuzz/runs/generated_run.h"
#include "sc_tests/fuzz/runs/two_sm_machine.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "sc_tests/support/kernel_generator.h"
#include "workloads/host/functional_run.h"

namespace heddle::fuzz {

namespace {

constexpr std::uint64_t kMaxKernelCycles = 1'000'000;

/// Every generated kernel runs, and leaves the same in memory with timing, under any scheduler, as without.
Verdict run_kernel(std::string_view input) {
  test::ChoiceStream choices(input);
  const std::string scheduler = numbered_scheduler(choices.byte());
  const test::GeneratedKernel kernel = test::generate_kernel(choices);
  const Workload workload = workload_of(kernel);
  HostProgram without_timing(workload);
  run_functionally(without_timing);
  HostProgram with_timing(workload);
  const RunResult result = simulate(two_sm_config(scheduler), with_timing, kMaxKernelCycles);
  if (result.end != RunEnd::kComplete)
    finding(scheduler + ": " + to_string(result.end) + ": " + result.reason);
  if (outputs_of(with_timing) != outputs_of(without_timing)) {
    finding(scheduler + ": the outputs differ from those without timing");
  }
  return Verdict::kLoaded;
}

}  // namespace

Target kernel_target() { return {"kernel", "generated kernels with and without timing", 256, &run_kernel}; }

}  // namespace heddle::fuzz
