#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/batch/run_figures.h"
#include "top/pairs/alone_run.h"

namespace heddle::fuzz {

namespace {

/// The input is both stats.json and cost.json.
Verdict run(std::string_view input) {
  const ScratchFolder& folder = ScratchFolder::get();
  const std::string stats = folder.write("stats.json", input);
  folder.write("cost.json", input);
  const std::optional<AloneRun> alone = alone_run_of(stats);
  const std::optional<RunFigures> figures = read_run_figures(folder.path());
  if (figures) policy_metrics(*figures, {"pro"});
  return alone || figures ? Verdict::kLoaded : Verdict::kRefused;
}

}  // namespace

Target run_figures_target() {
  return {"run_figures", "stats.json and cost.json, as comparisons and pairs read them", 4096, &run,
          &write_stats};
}

}  // namespace heddle::fuzz
