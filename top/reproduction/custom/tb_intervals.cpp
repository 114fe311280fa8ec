#include "top/reproduction/custom/tb_intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "top/reproduction/charts/chart_parts.h"
#include "top/reproduction/charts/value_axis.h"
#include "top/reproduction/custom/custom_points.h"

namespace heddle {

namespace {

constexpr std::array<const char*, 2> kSides = {"left", "right"};

struct Interval {
  double begin = 0;
  double end = 0;
};

/// Of the TBs of SM 0 that have ended, in the order of their begins.
std::vector<Interval> intervals_of(const ResultPoint* run) {
  std::vector<Interval> intervals;
  if (run == nullptr || !run->details.contains("thread_blocks")) return intervals;
  for (const nlohmann::json& launch : run->details.at("thread_blocks").at("launches")) {
    for (const nlohmann::json& tb : launch.at("tbs")) {
      if (tb.at("sm") == 0) intervals.push_back({tb.at("start").get<double>(), tb.at("end").get<double>()});
    }
  }
  std::stable_sort(intervals.begin(), intervals.end(),
                   [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  return intervals;
}

std::string side_name(const FigureDefinition& figure, const char* side) {
  const auto found = figure.with.find(side);
  return found == figure.with.end() ? side : found->second;
}

}  // namespace

FigureTable TbIntervals::evaluate(const FigureDefinition& figure, const PaperPoints& results) const {
  FigureTable table;
  table.row_heading = "thread block";
  for (std::size_t side = 0; side < kSides.size(); ++side) {
    const std::string name = side_name(figure, kSides[side]);
    table.series.push_back({name + ", begins", ""});
    table.series.push_back({name + ", ends", ""});
    const std::vector<Interval> intervals = intervals_of(custom_point(figure, results, kSides[side]));
    for (std::size_t tb = table.rows.size(); tb < intervals.size(); ++tb) {
      table.rows.push_back({std::to_string(tb)});
      table.cells.emplace_back(2 * kSides.size());
    }
    for (std::size_t tb = 0; tb < intervals.size(); ++tb) {
      table.cells[tb][2 * side] = intervals[tb].begin;
      table.cells[tb][2 * side + 1] = intervals[tb].end;
    }
  }
  return table;
}

void TbIntervals::check(const FigureTable& table) const { table.need_series(2 * kSides.size()); }

std::string TbIntervals::draw(const FigureDefinition& figure, const FigureTable& table) const {
  constexpr double kLeft = 70;
  constexpr double kPanel = 360;
  constexpr double kBetween = 30;
  constexpr double kTop = 50;
  constexpr double kHeight = 260;
  constexpr double kBottom = kTop + kHeight;
  const std::string title = fmt::format("{}: {}", figure.name, figure.title);
  Svg svg(kLeft + 2 * kPanel + kBetween + 12, kBottom + 50, title);
  svg.text(kLeft, 18, title, Svg::Anchor::kStart, 13);
  std::vector<double> values;
  for (const auto& cells : table.cells) {
    for (const auto& cell : cells) values.push_back(cell.value_or(0));
  }
  const ValueAxis axis(values, kTop, kBottom);
  axis.draw(svg, kLeft, kLeft + 2 * kPanel + kBetween, FigureFormat::kCount, "cycle", 14);
  const double step = kPanel / static_cast<double>(std::max<std::size_t>(table.rows.size(), 1));
  for (std::size_t side = 0; side < kSides.size(); ++side) {
    const double left = kLeft + static_cast<double>(side) * (kPanel + kBetween);
    svg.text(left + kPanel / 2, kTop - 10, side_name(figure, kSides[side]), Svg::Anchor::kMiddle, 12);
    for (std::size_t tb = 0; tb < table.rows.size(); ++tb) {
      const auto& begin = table.cells[tb][2 * side];
      const auto& end = table.cells[tb][2 * side + 1];
      const double x = left + step * static_cast<double>(tb);
      svg.text(x + step / 2, kBottom + 16, table.rows[tb].label, Svg::Anchor::kMiddle, 9);
      if (!begin || !end) continue;
      svg.rect(x + step * 0.15, axis.place(*end), step * 0.7, axis.place(*begin) - axis.place(*end),
               series_colour(side), fmt::format("thread block {}: cycle {:.0f} to {:.0f}", tb, *begin, *end));
    }
    svg.text(left + kPanel / 2, kBottom + 36, "thread block, by its begin on SM 0", Svg::Anchor::kMiddle);
  }
  return svg.str();
}

}  // namespace heddle
