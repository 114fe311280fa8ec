#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/config/technology_file.h"

namespace heddle::fuzz {

namespace {

Verdict run_technology(std::string_view input) {
  return verdict_of([input] {
    const std::string file = ScratchFolder::get().write("technology.yaml", input);
    for (const hw::Technology& technology : load_technologies(file)) missing_figures(technology);
  });
}

}  // namespace

Target technology_target() {
  return {"technology", "technologies that parts are priced by", 2048, &run_technology, &write_technologies};
}

}  // namespace heddle::fuzz
