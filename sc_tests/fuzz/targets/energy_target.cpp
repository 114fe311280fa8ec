#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/energy/energy_table.h"

namespace heddle::fuzz {

namespace {

Verdict run_energy(std::string_view input) {
  return verdict_of([input] {
    const EnergyTable table = load_energy_table(ScratchFolder::get().write("energy.yaml", input));
    for (const EnergyEvent& event : table.events) {
      if (!(event.nj.low <= event.nj.value && event.nj.value <= event.nj.high))
        finding("a figure out of its range");
    }
  });
}

}  // namespace

Target energy_target() { return {"energy", "what events cost", 2048, &run_energy, &write_energy_table}; }

}  // namespace heddle::fuzz
