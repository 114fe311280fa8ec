#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/page/parts/run_part.h"
#include "top/support/results.h"

namespace heddle::fuzz {

namespace {

using Json = nlohmann::json;

/// Every so many of a list of numbers, from the one at `first` on.
std::uint64_t sum_of(const Json& numbers, std::size_t first, std::size_t step) {
  std::uint64_t sum = 0;
  for (std::size_t i = first; i < numbers.size(); i += step) sum += numbers[i].get<std::uint64_t>();
  return sum;
}

Verdict run_timeline(std::string_view input) {
  const ScratchFolder& folder = ScratchFolder::get();
  folder.write("timeline.json", input);
  Json shown;
  try {
    shown = timeline_part(folder.path(), Json::object());
  } catch (const ResultsError&) {
    return Verdict::kRefused;
  } catch (const Json::exception&) {
    return Verdict::kRefused;
  }
  for (const Json& sm : shown.at("sms")) {
    for (const Json& warp : sm.at("warps")) {
      if (sum_of(warp.at("states"), 1, 2) != sum_of(warp.at("lives"), 1, 6)) {
        finding("states don't tile the lives of a warp slot");
      }
    }
  }
  return Verdict::kLoaded;
}

}  // namespace

Target timeline_target() {
  return {"timeline", "timeline.json, as the report reads it", 8192, &run_timeline, &write_timeline};
}

}  // namespace heddle::fuzz
