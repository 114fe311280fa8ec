#include "top/reproduction/charts/box_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "top/reproduction/charts/chart_parts.h"
#include "top/reproduction/charts/svg.h"
#include "top/reproduction/charts/value_axis.h"

namespace heddle {
namespace {

constexpr double kLeft = 64;
constexpr double kPlotHeight = 240;
constexpr double kBoxStep = 34;
constexpr double kBoxWidth = 22;
constexpr double kGroupGap = 18;
constexpr double kLeastWidth = 520;

void draw_box(Svg& svg, const ValueAxis& axis, const LabelledBox& box, double middle, const char* colour) {
  const FiveNumbers& n = box.numbers;
  const std::string hint =
      fmt::format("{}, {}: {:.3f} to {:.3f}, quartiles {:.3f} and {:.3f}, median {:.3f}", box.group,
                  box.series, n.least, n.most, n.lower_quartile, n.upper_quartile, n.median);
  constexpr double kHalf = kBoxWidth / 2;
  svg.line(middle, axis.place(n.low_whisker), middle, axis.place(n.high_whisker), colour);
  for (const double end : {n.low_whisker, n.high_whisker}) {
    svg.line(middle - kHalf / 2, axis.place(end), middle + kHalf / 2, axis.place(end), colour);
  }
  const double top = axis.place(n.upper_quartile);
  svg.rect(middle - kHalf, top, kBoxWidth, std::max(axis.place(n.lower_quartile) - top, 1.0), colour, hint);
  svg.line(middle - kHalf, axis.place(n.median), middle + kHalf, axis.place(n.median), "#ffffff", 2);
  // Outliers that would lie on each other are drawn once.
  double last = -1;
  for (const double outlier : n.outliers) {
    const double y = axis.place(outlier);
    if (last >= 0 && std::abs(y - last) < 1) continue;
    svg.circle(middle, y, 1.5, colour, fmt::format("{:.3f}", outlier));
    last = y;
  }
}

}  // namespace

std::string draw_boxes(const std::string& title, const std::vector<LabelledBox>& boxes,
                       const std::string& unit, std::optional<double> reference) {
  std::vector<std::string> series;
  std::vector<double> values;
  double width = 0;
  const std::string* group = nullptr;
  for (const LabelledBox& box : boxes) {
    if (std::find(series.begin(), series.end(), box.series) == series.end()) series.push_back(box.series);
    values.push_back(box.numbers.least);
    values.push_back(box.numbers.most);
    width += kBoxStep + (group != nullptr && *group != box.group ? kGroupGap : 0);
    group = &box.group;
  }
  if (reference) values.push_back(*reference);
  const bool legend = series.size() > 1;
  constexpr double kTitle = 26;
  const double plot = std::max(width + kGroupGap, kLeastWidth);
  const double top = kTitle + (legend ? legend_height(series, plot, false) : 0) + 10;
  const double bottom = top + kPlotHeight;
  Svg svg(kLeft + plot + 12, bottom + 40, title);
  svg.text(kLeft, 18, title, Svg::Anchor::kStart, 13);
  if (legend) draw_legend(svg, series, kLeft, kTitle, plot, false);
  const ValueAxis axis(values, top, bottom);
  axis.draw(svg, kLeft, kLeft + plot, FigureFormat::kRatio, unit, 14);
  if (reference)
    svg.line(kLeft, axis.place(*reference), kLeft + plot, axis.place(*reference), "#222222", 1, true);
  double x = kLeft + kGroupGap / 2;
  for (std::size_t first = 0; first < boxes.size();) {
    std::size_t end = first;
    while (end < boxes.size() && boxes[end].group == boxes[first].group) ++end;
    const double group_width = kBoxStep * static_cast<double>(end - first);
    for (std::size_t b = first; b < end; ++b) {
      const auto colour =
          static_cast<std::size_t>(std::find(series.begin(), series.end(), boxes[b].series) - series.begin());
      draw_box(svg, axis, boxes[b], x + kBoxStep * (static_cast<double>(b - first) + 0.5),
               series_colour(colour));
    }
    svg.text(x + group_width / 2, bottom + (group_width < 60 && (first / (end - first)) % 2 == 1 ? 30 : 16),
             boxes[first].group, Svg::Anchor::kMiddle, 10);
    x += group_width + kGroupGap;
    first = end;
  }
  return svg.str();
}

}  // namespace heddle
