#include <filesystem>

#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/target.h"
#include "top/catalog/measured_launch.h"
#include "top/page/report_data.h"
#include "top/page/report_page.h"
#include "top/report/stats/found_figures.h"
#include "top/support/results.h"

namespace heddle::fuzz {

namespace {

/// False when its user would be told that the results are damaged.
template <class Read>
bool reads(const Read& read) {
  try {
    read();
    return true;
  } catch (const ResultsError&) {
    return false;
  }
}

/// The input is both stats.json and cost.json. Loaded when a report can be made of it.
Verdict run_report(std::string_view input) {
  const std::string folder = ScratchFolder::get().file("run");
  std::filesystem::create_directories(folder);
  ScratchFolder::get().write("run/stats.json", input);
  ScratchFolder::get().write("run/cost.json", input);
  const bool shown = reads([&] { report_page(report_data({folder})); });
  for (const auto of : {StatsOptions::Of::kRuns, StatsOptions::Of::kLaunches, StatsOptions::Of::kBlocks}) {
    reads([&] { find_figures({{folder}, {"*cycles*", "sm[0-3].*"}, of, {}}); });
  }
  reads([&] {
    for (const MeasuredLaunch& launch : measured_launches({folder})) {
      bound_by(launch);
      behaviours(launch);
    }
  });
  return shown ? Verdict::kLoaded : Verdict::kRefused;
}

}  // namespace

Target report_target() {
  return {"report", "stats.json and cost.json, as report, stats and describe read them", 8192, &run_report,
          &write_results};
}

}  // namespace heddle::fuzz
