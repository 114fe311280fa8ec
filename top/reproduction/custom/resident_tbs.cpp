#include "top/reproduction/custom/resident_tbs.h"

#include <algorithm>
#include <array>

#include "top/reproduction/custom/logged_points.h"

namespace heddle {
namespace {

std::uint64_t most_resident(const LoggedLaunch& launch) {
  // An end is before a start of the same cycle.
  std::vector<std::array<std::int64_t, 3>> events;
  for (const LoggedTb& tb : launch.tbs) {
    events.push_back({static_cast<std::int64_t>(tb.sm), static_cast<std::int64_t>(tb.start), 1});
    events.push_back({static_cast<std::int64_t>(tb.sm), static_cast<std::int64_t>(tb.end), -1});
  }
  std::sort(events.begin(), events.end());
  std::int64_t resident = 0;
  std::int64_t most = 0;
  for (const auto& event : events) {
    resident += event[2];
    most = std::max(most, resident);
  }
  return static_cast<std::uint64_t>(most);
}

}  // namespace

FigureTable ResidentTbs::evaluate(const FigureDefinition& figure, const PaperPoints& results) const {
  FigureTable table;
  for (const auto& [name, choice] : figure.points) table.series.push_back({name, ""});
  for (const RowDefinition& row : figure.rows) {
    std::vector<std::optional<double>> cells;
    for (const auto& [name, choice] : figure.points) {
      const std::vector<LoggedRun> runs = logged_row(figure, results, row, name);
      std::optional<double> most;
      for (const LoggedLaunch* const launch : launches_of(runs, row.kernel)) {
        most = std::max(most.value_or(0), static_cast<double>(most_resident(*launch)));
      }
      cells.push_back(most);
    }
    table.rows.push_back({row.label, false});
    table.cells.push_back(std::move(cells));
  }
  return table;
}

}  // namespace heddle
