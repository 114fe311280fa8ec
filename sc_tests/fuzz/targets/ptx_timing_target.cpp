#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/runs/two_sm_machine.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "sc_tests/support/kernel_generator.h"
#include "workloads/description/workload_loader.h"

namespace heddle::fuzz {

namespace {

constexpr std::uint64_t kMaxCycles = 20'000;

/// A workload that launches the kernel `k` of a generated text, whatever has become of it.
constexpr const char* kBuffers = R"(
ptx: input.ptx
buffers:
  in: {type: u32, count: 16384, init: {formula: hash(i)}}
  out: {type: u32, count: 16384}
  sums: {type: u32, count: 64}
)";
constexpr const char* kLaunches = R"(
launches:
  - {kernel: k, grid: 3, block: 40, shared_bytes: 512, args: [in, out, sums, 256]}
)";

Verdict run_ptx_timing(std::string_view input) {
  return verdict_of([input] {
    const ScratchFolder& folder = ScratchFolder::get();
    folder.write("input.ptx", input);
    HostProgram program(
        load_workload_text(kBuffers + test::textures_of(input) + kLaunches, folder.file("input.yaml")));
    const auto scheduler = static_cast<std::uint32_t>(std::hash<std::string_view>()(input) >> 8U);
    simulate(two_sm_config(numbered_scheduler(scheduler)), program, kMaxCycles);
  });
}

std::string fresh_timed_kernel(test::ChoiceStream& choices) { return test::generate_kernel(choices).ptx; }

}  // namespace

Target ptx_timing_target() {
  return {"ptx_timing",        "PTX files, simulated on two SMs", 16384, &run_ptx_timing,
          &fresh_timed_kernel, &test::generate_instruction};
}

}  // namespace heddle::fuzz
