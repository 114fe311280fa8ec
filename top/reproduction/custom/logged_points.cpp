#include "top/reproduction/custom/logged_points.h"

#include <algorithm>

namespace heddle {

const ResultPoint* point_of_figure(const FigureDefinition& figure, const PaperPoints& results,
                                   const std::string& name, const std::map<std::string, std::string>& where) {
  const auto choice = figure.points.find(name);
  if (choice == figure.points.end()) return nullptr;
  const std::string& experiment = choice->second.experiment;
  const auto points = results.find(experiment.empty() ? figure.experiment : experiment);
  if (points == results.end()) return nullptr;
  return choose_point(points->second, choice->second.with(where), "");
}

std::optional<LoggedRun> logged_point(const FigureDefinition& figure, const PaperPoints& results,
                                      const std::string& name,
                                      const std::map<std::string, std::string>& where) {
  const ResultPoint* const point = point_of_figure(figure, results, name, where);
  if (point == nullptr || !point->details.contains("thread_blocks")) return std::nullopt;
  return logged_run_of(point->details.at("thread_blocks"), point->name());
}

std::vector<LoggedRun> logged_row(const FigureDefinition& figure, const PaperPoints& results,
                                  const RowDefinition& row, const std::string& point) {
  std::vector<LoggedRun> runs;
  const auto add = [&](const std::map<std::string, std::string>& where) {
    std::optional<LoggedRun> run = logged_point(figure, results, point, where);
    if (run) runs.push_back(std::move(*run));
    return run.has_value();
  };
  if (row.workloads.empty()) {
    add(row.where);
    return runs;
  }
  for (const std::string& workload : row.workloads) {
    std::map<std::string, std::string> where = row.where;
    where["workload"] = workload;
    if (!add(where)) return {};
  }
  return runs;
}

std::vector<const LoggedLaunch*> launches_of(const std::vector<LoggedRun>& runs, const std::string& kernel) {
  std::vector<const LoggedLaunch*> launches;
  for (const LoggedRun& run : runs) {
    for (const LoggedLaunch& launch : run.launches) {
      if (kernel.empty() || launch.kernel == kernel) launches.push_back(&launch);
    }
  }
  return launches;
}

std::string with_or(const FigureDefinition& figure, const std::string& key, const std::string& otherwise) {
  const auto found = figure.with.find(key);
  return found == figure.with.end() ? otherwise : found->second;
}

const LoggedLaunch* chosen_launch(const FigureDefinition& figure, const LoggedRun& run) {
  const std::string kernel = with_or(figure, "kernel", "");
  const auto found = std::find_if(
      run.launches.begin(), run.launches.end(),
      [&kernel](const LoggedLaunch& launch) { return kernel.empty() || launch.kernel == kernel; });
  return found == run.launches.end() ? nullptr : &*found;
}

const LoggedTb* chosen_tb(const FigureDefinition& figure, const LoggedRun& run) {
  const LoggedLaunch* const launch = chosen_launch(figure, run);
  if (launch == nullptr) return nullptr;
  const std::string which = with_or(figure, "tb", "0");
  // WarpMan 3.2.3: block (127, 23) of the SDK's grid of 192 x 128.
  constexpr double kLate = (23.0 * 192 + 127) / (192 * 128);
  const std::uint64_t wanted =
      which == "late" ? static_cast<std::uint64_t>(kLate * static_cast<double>(launch->tbs.size()))
                      : std::stoull(which);
  const auto found = std::find_if(launch->tbs.begin(), launch->tbs.end(),
                                  [wanted](const LoggedTb& tb) { return tb.tb == wanted; });
  return found == launch->tbs.end() ? nullptr : &*found;
}

}  // namespace heddle
