#include "top/reproduction/custom/instructions_per_warp.h"

#include <fmt/format.h>

#include <numeric>

#include "top/reproduction/custom/logged_points.h"

namespace heddle {

FigureTable InstructionsPerWarp::evaluate(const FigureDefinition& figure, const PaperPoints& results) const {
  FigureTable table;
  table.row_heading = "instructions";
  table.series = {{"warps", ""}};
  const std::optional<LoggedRun> run = logged_point(figure, results, "run");
  const LoggedLaunch* const launch = run ? chosen_launch(figure, *run) : nullptr;
  if (launch == nullptr) return table;
  const std::vector<std::uint64_t>& bins = launch->warps_by_instructions;
  const std::uint64_t all = std::accumulate(bins.begin(), bins.end(), std::uint64_t{0});
  for (std::size_t b = 0; b < bins.size() && all != 0; ++b) {
    table.rows.push_back(
        {fmt::format("({}, {}]", b * launch->bin_instructions, (b + 1) * launch->bin_instructions), false});
    table.cells.push_back({static_cast<double>(bins[b]) / static_cast<double>(all)});
  }
  return table;
}

}  // namespace heddle
