#include "top/reproduction/custom/texture_misses.h"

#include <fmt/format.h>

#include "top/reproduction/custom/logged_points.h"

namespace heddle {

FigureTable TextureMisses::evaluate(const FigureDefinition& figure, const PaperPoints& results) const {
  FigureTable table;
  table.row_heading = "warp";
  table.series = {{"misses per 1000 instructions", ""}};
  const std::optional<LoggedRun> run = logged_point(figure, results, "run");
  const LoggedTb* const tb = run ? chosen_tb(figure, *run) : nullptr;
  if (tb == nullptr) return table;
  constexpr double kPer = 1000;
  for (std::size_t w = 0; w < tb->warps.size(); ++w) {
    const LoggedWarp& warp = tb->warps[w];
    table.rows.push_back({fmt::format("warp {}", w), false});
    std::optional<double> rate;
    if (warp.instructions != 0) {
      rate = kPer * static_cast<double>(warp.texture_misses) / static_cast<double>(warp.instructions);
    }
    table.cells.push_back({rate});
  }
  return table;
}

}  // namespace heddle
