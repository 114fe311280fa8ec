#pragma once

#include <optional>
#include <string>
#include <vector>

#include "top/reproduction/definition/figure_definition.h"
#include "top/reproduction/logs/logged_run.h"
#include "top/reproduction/points/result_points.h"

namespace heddle {

/// The figure's point `name`, of its own experiment or the figure's; nullptr when it is missing. `where`:
/// more coordinates of it. Throws ResultsError as choose_point() does.
const ResultPoint* point_of_figure(const FigureDefinition& figure, const PaperPoints& results,
                                   const std::string& name,
                                   const std::map<std::string, std::string>& where = {});

/// Its log; nothing when the point or its log is missing. Throws ResultsError also as logged_run_of() does.
std::optional<LoggedRun> logged_point(const FigureDefinition& figure, const PaperPoints& results,
                                      const std::string& name,
                                      const std::map<std::string, std::string>& where = {});

/// The logs of a row's runs: of its workloads, or by its coordinates alone. Empty when one of them is
/// missing.
std::vector<LoggedRun> logged_row(const FigureDefinition& figure, const PaperPoints& results,
                                  const RowDefinition& row, const std::string& point);

/// Launches of the kernel, or all when `kernel` is "".
std::vector<const LoggedLaunch*> launches_of(const std::vector<LoggedRun>& runs, const std::string& kernel);

/// FigureDefinition::with, or `otherwise` when it has no such key.
std::string with_or(const FigureDefinition& figure, const std::string& key, const std::string& otherwise);

/// The thread block that `with` names, in the first launch of its `kernel` (or of all): `tb: N`, or `tb:
/// late`, the one as far into the grid as WarpMan's (127, 23), where the caches are warm. nullptr without.
const LoggedTb* chosen_tb(const FigureDefinition& figure, const LoggedRun& run);
/// The launch that it is of; nullptr without.
const LoggedLaunch* chosen_launch(const FigureDefinition& figure, const LoggedRun& run);

}  // namespace heddle
