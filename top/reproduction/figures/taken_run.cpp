#include "top/reproduction/figures/taken_run.h"

#include <algorithm>

namespace heddle {

namespace {

bool is_complete(const RanExperiment& experiment) { return experiment.complete == experiment.points; }

/// All points that the figure asks for at this size have ended well.
bool has_all_points(const FigureDefinition& figure, const std::string& size, const PaperResults& run) {
  const std::vector<std::string> names = figure.experiments();
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto experiment = run.experiments.find(name);
    if (experiment == run.experiments.end()) return true;  // there is none at this size
    const auto sized = experiment->second.find(size);
    return sized == experiment->second.end() || is_complete(sized->second);
  });
}

}  // namespace

std::vector<KeptFigure> take_run(PaperResults& results, const PaperResults& run,
                                 const PaperDefinition& paper) {
  std::vector<KeptFigure> kept;
  for (const FigureDefinition& figure : paper.figures) {
    const auto ran = run.figures.find(figure.id());
    if (ran == run.figures.end()) continue;
    for (const auto& [size, table] : ran->second) {
      FigureTable& there = results.figures[figure.id()][size];
      if (table.filled() >= there.filled() || has_all_points(figure, size, run)) {
        there = table;
      } else {
        kept.push_back({figure.name, there.filled(), table.filled()});
      }
    }
  }
  for (const auto& [experiment, sizes] : run.experiments) {
    for (const auto& [size, summary] : sizes) {
      RanExperiment& there = results.experiments[experiment][size];
      if (summary.complete >= there.complete || is_complete(summary)) there = summary;
    }
  }
  return kept;
}

}  // namespace heddle
