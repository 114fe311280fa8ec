#include <sstream>

#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/fidelity/reference.h"

namespace heddle::fuzz {

namespace {

Verdict run_reference_figures(std::string_view input) {
  std::istringstream csv{std::string(input)};
  try {
    return fidelity::read_reference(csv).empty() ? Verdict::kRefused : Verdict::kLoaded;
  } catch (const std::runtime_error&) {
    return Verdict::kRefused;
  }
}

}  // namespace

Target reference_figures_target() {
  return {"reference_figures", "the reference machine's figures (CSV)", 2048, &run_reference_figures,
          &write_reference_figures};
}

}  // namespace heddle::fuzz
