#include <nlohmann/json.hpp>

#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/page/parts/run_part.h"
#include "top/support/results.h"

namespace heddle::fuzz {

namespace {

/// The input is a file of SQLite's: changes of its bytes are changes of its values and of how it is built.
Verdict run_intervals(std::string_view input) {
  const ScratchFolder& folder = ScratchFolder::get();
  folder.write("intervals.sqlite", input);
  try {
    const nlohmann::json shown = intervals_part(folder.path(), nullptr);
    if (!shown.is_null() &&
        shown.at("samples").at("warp_instructions").size() != shown.at("samples").at("last_cycle").size()) {
      finding("a counter has more or less samples than there are");
    }
    return Verdict::kLoaded;
  } catch (const ResultsError&) {
    return Verdict::kRefused;
  }
}

}  // namespace

Target intervals_target() {
  Target target{"intervals", "intervals.sqlite, as the report reads it", 16384, &run_intervals};
  target.near_its_seeds = true;
  return target;
}

}  // namespace heddle::fuzz
