#include "sc_tests/fuzz/inputs/workload_writer.h"
#include "sc_tests/fuzz/runs/small_workload.h"
#include "sc_tests/fuzz/runs/two_sm_machine.h"
#include "sc_tests/fuzz/runs/verdict_of.h"

namespace heddle::fuzz {

namespace {

constexpr std::uint64_t kMaxWorkloadCycles = 20'000;
constexpr std::uint64_t kMostHostSteps = 5'000;

Verdict run_workload_timing(std::string_view input) {
  return verdict_of([input] {
    HostProgram program(small_workload(input));
    program.set_most_steps(kMostHostSteps);
    const auto scheduler = static_cast<std::uint32_t>(std::hash<std::string_view>()(input) >> 8U);
    verdict_of([&] { simulate(two_sm_config(numbered_scheduler(scheduler)), program, kMaxWorkloadCycles); });
  });
}

}  // namespace

Target workload_timing_target() {
  return {"workload_timing", "workload files, simulated on two SMs", 4096, &run_workload_timing,
          &write_workload};
}

}  // namespace heddle::fuzz
