#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/bench/accepted.h"

namespace heddle::fuzz {

namespace {

Verdict run_accepted_speeds(std::string_view input) {
  const std::string file = ScratchFolder::get().write("accepted.json", input);
  bench::Accepted accepted;
  try {
    accepted = bench::Accepted::load(file);
  } catch (const std::runtime_error&) {
    return Verdict::kRefused;
  }
  accepted.save(ScratchFolder::get().file("saved.json"));
  if (bench::Accepted::load(ScratchFolder::get().file("saved.json")).ratios.size() !=
      accepted.ratios.size()) {
    finding("what is saved of the accepted speeds is another file");
  }
  return Verdict::kLoaded;
}

}  // namespace

Target accepted_speeds_target() {
  return {"accepted_speeds", "the accepted speeds of `make bench`", 1024, &run_accepted_speeds,
          &write_accepted_speeds};
}

}  // namespace heddle::fuzz
