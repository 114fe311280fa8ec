#include "sc_tests/fuzz/inputs/config_writer.h"
#include "sc_tests/fuzz/runs/generated_run.h"
#include "sc_tests/fuzz/runs/two_sm_machine.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/config/config_loader.h"

namespace heddle::fuzz {

namespace {

constexpr std::uint64_t kMaxMachineCycles = 5'000;

/// A kernel of each kind of statement, the same for every machine.
const test::GeneratedKernel& some_kernel() {
  static const test::GeneratedKernel kernel = [] {
    test::ChoiceStream choices("a kernel with loops, branches and barriers, of two blocks");
    return test::generate_kernel(choices);
  }();
  return kernel;
}

/// The machine with two SMs, whatever else its file says.
Verdict run_machine(std::string_view input) {
  return verdict_of([input] {
    ConfigLoader loader;
    loader.read_text(std::string(input), "input.yaml");
    loader.set("core.sms=2");
    const LoadedConfig loaded = loader.finish();
    HostProgram program(workload_of(some_kernel()));
    simulate(loaded, program, kMaxMachineCycles);
  });
}

}  // namespace

Target machine_target() {
  return {"machine",         "configuration files, built and run", 2048, &run_machine, &write_config,
          &write_config_line};
}

}  // namespace heddle::fuzz
