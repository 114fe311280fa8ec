#include "top/reproduction/custom/tb_durations.h"

#include <algorithm>
#include <cmath>

#include "top/reproduction/custom/logged_points.h"

namespace heddle {

FigureTable TbDurations::evaluate(const FigureDefinition& figure, const PaperPoints& results) const {
  FigureTable table;
  table.series = {{"run time", ""}, {"mean t", ""}, {"relative deviation", ""}};
  for (const RowDefinition& row : figure.rows) {
    const std::vector<LoggedRun> runs = logged_row(figure, results, row, "run");
    const std::vector<const LoggedLaunch*> launches = launches_of(runs, row.kernel);
    table.rows.push_back({row.label, false});
    table.cells.emplace_back(table.series.size());
    if (launches.empty() || launches[0]->tbs.empty()) continue;
    const std::vector<LoggedTb>& tbs = launches[0]->tbs;
    const auto count = static_cast<double>(tbs.size());
    std::uint64_t start = tbs[0].start;
    std::uint64_t end = 0;
    double sum = 0;
    for (const LoggedTb& tb : tbs) {
      start = std::min(start, tb.start);
      end = std::max(end, tb.end);
      sum += static_cast<double>(tb.cycles());
    }
    const double mean = sum / count;
    double squares = 0;
    for (const LoggedTb& tb : tbs) squares += std::pow(static_cast<double>(tb.cycles()) - mean, 2);
    table.cells.back() = {static_cast<double>(end - start), mean, std::sqrt(squares / count) / mean};
  }
  return table;
}

}  // namespace heddle
