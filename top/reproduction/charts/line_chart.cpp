#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "top/reproduction/charts/chart_parts.h"
#include "top/reproduction/charts/figure_chart.h"
#include "top/reproduction/charts/value_axis.h"

namespace heddle {

namespace {

constexpr double kLeft = 64;
constexpr double kPlotWidth = 620;
constexpr double kPlotHeight = 240;
constexpr double kRight = 24;

/// Where the rows lie, from 0 to 1: by their numbers, else evenly.
std::vector<double> row_places(const FigureTable& table) {
  std::vector<double> values;
  for (const FigureTable::Row& row : table.rows) {
    double value = 0;
    const char* const end = row.label.data() + row.label.size();
    const auto [rest, error] = std::from_chars(row.label.data(), end, value);
    if (error != std::errc() || rest != end) break;
    values.push_back(value);
  }
  if (values.size() != table.rows.size()) {
    values.clear();
    for (std::size_t r = 0; r < table.rows.size(); ++r) values.push_back(static_cast<double>(r));
  }
  if (values.empty()) return values;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double from = *low;
  const double range = *high == from ? 1 : *high - from;
  for (double& value : values) value = (value - from) / range;
  return values;
}

}  // namespace

std::string draw_lines(const FigureChart& chart) {
  const FigureTable& table = chart.table;
  std::vector<std::string> names;
  for (const FigureTable::Series& series : table.series) names.push_back(series.name);
  constexpr double kTitle = 26;
  const double top = kTitle + legend_height(names, kPlotWidth, !chart.paper.empty()) + 10;
  const double bottom = top + kPlotHeight;
  constexpr double kBelow = 46;
  Svg svg(kLeft + kPlotWidth + kRight, bottom + kBelow, chart.title);
  svg.text(kLeft, 18, chart.title, Svg::Anchor::kStart, 13);
  draw_legend(svg, names, kLeft, kTitle, kPlotWidth, !chart.paper.empty());
  const ValueAxis axis(values_of(chart), top, bottom);
  axis.draw(svg, kLeft, kLeft + kPlotWidth, chart.format, chart.unit, 14);
  const std::vector<double> places = row_places(table);
  double last_label = -1e9;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const double x = kLeft + places[r] * kPlotWidth;
    svg.line(x, bottom, x, bottom + 4, "#888888");
    if (x - last_label < svg_text_width(table.rows[r].label) + 6) continue;
    svg.text(x, bottom + 16, table.rows[r].label, Svg::Anchor::kMiddle);
    last_label = x;
  }
  svg.text(kLeft + kPlotWidth / 2, bottom + 34, table.row_heading, Svg::Anchor::kMiddle);
  if (chart.reference) {
    svg.line(kLeft, axis.place(*chart.reference), kLeft + kPlotWidth, axis.place(*chart.reference), "#222222",
             1, true);
  }
  for (std::size_t s = 0; s < table.series.size(); ++s) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      if (table.cells[r][s])
        points.emplace_back(kLeft + places[r] * kPlotWidth, axis.place(*table.cells[r][s]));
    }
    if (points.size() > 1) svg.polyline(points, series_colour(s));
    for (const auto& [x, y] : points) svg.circle(x, y, 2.5, series_colour(s), table.series[s].name);
  }
  for (std::size_t s = 0; s < table.series.size(); ++s) {
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const PaperNumber* const number = chart.paper_number(table.rows[r].label, table.series[s].name);
      if (number == nullptr) continue;
      draw_paper_mark(svg, kLeft + places[r] * kPlotWidth, axis.place(number->value), *number, chart.format);
    }
  }
  return svg.str();
}

}  // namespace heddle
