#include <nlohmann/json.hpp>

#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/target.h"
#include "top/page/parts/run_part.h"
#include "top/support/results.h"

namespace heddle::fuzz {

namespace {

Verdict run_profile(std::string_view input) {
  const ScratchFolder& folder = ScratchFolder::get();
  folder.write("profile.json", input);
  const nlohmann::json no_stats;
  try {
    for (const auto& part : {profile_part, profile_detail_part, source_part}) {
      const nlohmann::json shown = part(folder.path(), no_stats);
    }
    return Verdict::kLoaded;
  } catch (const ResultsError&) {
  } catch (const nlohmann::json::exception&) {  // told as a damaged result
  }
  return Verdict::kRefused;
}

}  // namespace

Target profile_target() {
  return {"profile", "profile.json, as heddle report reads it", 4096, &run_profile, &write_profile};
}

}  // namespace heddle::fuzz
