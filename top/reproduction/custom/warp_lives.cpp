#include "top/reproduction/custom/warp_lives.h"

#include <fmt/format.h>

#include <algorithm>

#include "top/reproduction/charts/chart_parts.h"
#include "top/reproduction/charts/svg.h"
#include "top/reproduction/custom/logged_points.h"

namespace heddle {
namespace {

constexpr const char* kHeld = "#f3d9c4";  ///< by a warp that has ended

}  // namespace

FigureTable WarpLives::evaluate(const FigureDefinition& figure, const PaperPoints& results) const {
  FigureTable table;
  table.row_heading = "warp";
  table.series = {{"first cycle", ""},
                  {"last cycle", ""},
                  {"instructions", ""},
                  {"of the thread block", ""},
                  {"geometric mean", ""}};
  const std::optional<LoggedRun> run = logged_point(figure, results, "run");
  const LoggedTb* const tb = run ? chosen_tb(figure, *run) : nullptr;
  if (tb == nullptr) return table;
  for (std::size_t w = 0; w < tb->warps.size(); ++w) {
    const LoggedWarp& warp = tb->warps[w];
    table.rows.push_back({fmt::format("warp {}", w), false});
    table.cells.push_back({static_cast<double>(warp.start - tb->start),
                           static_cast<double>(warp.end - tb->start), static_cast<double>(warp.instructions),
                           std::nullopt, std::nullopt});
  }
  table.rows.push_back({"RTRU", true});
  table.cells.push_back(
      {std::nullopt, std::nullopt, std::nullopt, tb->rtru, chosen_launch(figure, *run)->rtru_geometric_mean});
  return table;
}

void WarpLives::check(const FigureTable& table) const {
  if (!table.rows.empty()) table.need_series(3);
}

std::string WarpLives::draw(const FigureDefinition& figure, const FigureTable& table) const {
  const std::size_t warps = table.rows.empty() ? 0 : table.rows.size() - 1;
  if (warps == 0) return "";
  constexpr double kLeft = 70;
  constexpr double kWidth = 600;
  constexpr double kTop = 30;
  const double step = warps > 16 ? 11 : 20;
  double longest = 1;
  for (std::size_t w = 0; w < warps; ++w) longest = std::max(longest, table.cells[w][1].value_or(0));
  const double bottom = kTop + step * static_cast<double>(warps);
  Svg svg(kLeft + kWidth + 70, bottom + 60, figure.title);
  svg.text(kLeft, 18, figure.title, Svg::Anchor::kStart, 13);
  const double scale = kWidth / longest;
  for (std::size_t w = 0; w < warps; ++w) {
    const double y = kTop + step * static_cast<double>(w);
    const double start = table.cells[w][0].value_or(0);
    const double end = table.cells[w][1].value_or(0);
    const std::string hint = fmt::format("{}: cycles {:.0f} to {:.0f}, {:.0f} instructions",
                                         table.rows[w].label, start, end, table.cells[w][2].value_or(0));
    svg.text(kLeft - 6, y + step / 2 + 3, table.rows[w].label, Svg::Anchor::kEnd, step < 14 ? 9 : 11);
    svg.rect(kLeft + start * scale, y + 1, (end - start) * scale, step - 2, series_colour(0), hint);
    svg.rect(kLeft + end * scale, y + 1, (longest - end) * scale, step - 2, kHeld, hint);
  }
  svg.line(kLeft, bottom, kLeft + kWidth, bottom, "#888888");
  constexpr unsigned kTicks = 4;
  for (unsigned tick = 0; tick <= kTicks; ++tick) {
    const double cycle = longest * tick / kTicks;
    svg.line(kLeft + cycle * scale, bottom, kLeft + cycle * scale, bottom + 4, "#888888");
    svg.text(kLeft + cycle * scale, bottom + 16, fmt::format("{:.0f}", cycle), Svg::Anchor::kMiddle);
  }
  svg.text(kLeft + kWidth / 2, bottom + 32, "core cycles since the block's start", Svg::Anchor::kMiddle);
  svg.rect(kLeft, bottom + 42, 10, 10, series_colour(0));
  svg.text(kLeft + 14, bottom + 51, "at work");
  svg.rect(kLeft + 80, bottom + 42, 10, 10, kHeld);
  svg.text(kLeft + 94, bottom + 51,
           fmt::format("held until the block ends: {:.1f}% (RTRU)",
                       100 * table.value("RTRU", "of the thread block").value_or(0)));
  return svg.str();
}

}  // namespace heddle
