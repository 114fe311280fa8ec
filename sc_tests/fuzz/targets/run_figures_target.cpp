#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/batch/run_figures.h"
#include "top/pairs/alone_run.h"

namespace heddle::fuzz {

namespace {

/// The input is both stats.json and cost.json.
Verdict run_run_figures(std::string_view input) {
  const ScratchFolder& folder = ScratchFolder::get();
  folder.write("stats.json", input);
  folder.write("cost.json", input);
  const std::optional<RunFigures> figures = read_run_figures(folder.path());
  if (!figures) return Verdict::kRefused;
  policy_metrics(*figures, {"pro"});
  alone_run_of(*figures);
  return Verdict::kLoaded;
}

}  // namespace

Target run_figures_target() {
  return {"run_figures", "stats.json and cost.json, as comparisons and pairs read them", 4096,
          &run_run_figures, &write_stats};
}

}  // namespace heddle::fuzz
