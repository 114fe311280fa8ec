#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "top/reproduction/charts/chart_parts.h"
#include "top/reproduction/charts/figure_chart.h"
#include "top/reproduction/charts/value_axis.h"

namespace heddle {

namespace {

constexpr double kLeft = 64;
constexpr double kRight = 12;
constexpr double kPlotHeight = 220;
constexpr double kLeastWidth = 520;
constexpr double kMostPlotWidth = 1100;
constexpr double kWidestBar = 16;
constexpr double kNarrowestBar = 3;

/// The bars of a group: of each the series that lie on each other, from below.
struct Bars {
  std::vector<std::vector<std::size_t>> series;
  std::vector<std::string> names;    ///< of stacked bars, that the legend does not name; "" else
  std::vector<std::string> legend;   ///< of colours
  std::vector<std::size_t> colours;  ///< by series
  bool stacked = false;
};

/// What a series of a stacked bar is called without the bar: "MSHR" of "GTO, MSHR".
std::string part_name(const FigureTable::Series& series) {
  const std::string prefix = series.bar + ", ";
  return !series.bar.empty() && series.name.compare(0, prefix.size(), prefix) == 0
             ? series.name.substr(prefix.size())
             : series.name;
}

Bars bars_of(const FigureTable& table) {
  Bars bars;
  std::map<std::string, std::size_t> places;
  for (std::size_t s = 0; s < table.series.size(); ++s) {
    const FigureTable::Series& series = table.series[s];
    const std::string part = part_name(series);
    const auto known = std::find(bars.legend.begin(), bars.legend.end(), part);
    bars.colours.push_back(static_cast<std::size_t>(known - bars.legend.begin()));
    if (known == bars.legend.end()) bars.legend.push_back(part);
    if (series.bar.empty()) {
      bars.series.push_back({s});
      bars.names.emplace_back();
      continue;
    }
    bars.stacked = true;
    const auto [place, added] = places.emplace(series.bar, bars.series.size());
    if (added) {
      bars.series.emplace_back();
      bars.names.push_back(series.bar);
    }
    bars.series[place->second].push_back(s);
  }
  return bars;
}

class BarChart {
 public:
  explicit BarChart(const FigureChart& chart)
      : chart_(chart), table_(chart.table), bars_(bars_of(chart.table)) {
    const auto rows = static_cast<double>(std::max<std::size_t>(table_.rows.size(), 1));
    const auto count = static_cast<double>(std::max<std::size_t>(bars_.series.size(), 1));
    bar_ = std::clamp(kMostPlotWidth / rows / (count + 1), kNarrowestBar, kWidestBar);
    group_ = bar_ * (count + 1);
    plot_width_ = std::max(group_ * rows, kLeastWidth - kLeft - kRight);
    group_ = plot_width_ / rows;
    width_ = kLeft + plot_width_ + kRight;
    constexpr double kTitle = 28;
    top_ = kTitle + legend_height(bars_.legend, plot_width_, !chart.paper.empty()) + 8;
  }

  std::string draw() const {
    const double bottom = top_ + kPlotHeight;
    const ValueAxis axis(values_of(chart_), top_, bottom);
    Svg svg(width_, bottom + bar_names_height() + labels_height(), chart_.title);
    constexpr double kTitlePlace = 18;
    svg.text(kLeft, kTitlePlace, chart_.title, Svg::Anchor::kStart, 13);
    draw_legend(svg, bars_.legend, kLeft, 26, plot_width_, !chart_.paper.empty());
    axis.draw(svg, kLeft, kLeft + plot_width_, chart_.format, chart_.unit, 14);
    for (std::size_t r = 0; r < table_.rows.size(); ++r) draw_row(svg, axis, r, bottom);
    if (chart_.reference) {
      const double y = axis.place(*chart_.reference);
      svg.line(kLeft, y, kLeft + plot_width_, y, "#222222", 1, true);
    }
    draw_marks(svg, axis);
    return svg.str();
  }

 private:
  double bar_x(std::size_t row, std::size_t bar) const {
    const double used = bar_ * static_cast<double>(bars_.series.size());
    return kLeft + group_ * static_cast<double>(row) + (group_ - used) / 2 + bar_ * static_cast<double>(bar);
  }

  double bar_names_height() const {
    double most = 0;
    for (const std::string& name : bars_.names) most = std::max(most, svg_text_width(name, 9));
    return most == 0 ? 0 : most + 8;
  }

  double labels_height() const {
    double most = 0;
    for (const FigureTable::Row& row : table_.rows) most = std::max(most, svg_text_width(row.label));
    constexpr double kSlope = 0.75;  // of a text that is turned by 45 degrees
    return most * kSlope + 24;
  }

  void draw_row(Svg& svg, const ValueAxis& axis, std::size_t r, double bottom) const {
    const FigureTable::Row& row = table_.rows[r];
    if (row.summary && (r == 0 || !table_.rows[r - 1].summary)) {
      const double x = kLeft + group_ * static_cast<double>(r);
      svg.line(x, top_, x, bottom, "#888888", 1, true);
    }
    for (std::size_t b = 0; b < bars_.series.size(); ++b) {
      double from = 0;
      for (const std::size_t s : bars_.series[b]) {
        const std::optional<double>& value = table_.cells[r][s];
        if (!value) continue;
        const double y1 = axis.place(from);
        const double y2 = axis.place(from + *value);
        svg.rect(
            bar_x(r, b), std::min(y1, y2), bar_ * 0.92, std::abs(y1 - y2), series_colour(bars_.colours[s]),
            fmt::format("{}, {}: {}", row.label, table_.series[s].name, shown_value(*value, chart_.format)));
        from += *value;
      }
      if (!bars_.names[b].empty()) {
        svg.text(bar_x(r, b) + bar_ / 2 + 3, bottom + 4, bars_.names[b], Svg::Anchor::kEnd, 9, -90);
      }
    }
    const double x = kLeft + group_ * (static_cast<double>(r) + 0.5);
    svg.text(x + 4, bottom + bar_names_height() + 14, row.label, Svg::Anchor::kEnd, 11, -45);
  }

  void draw_marks(Svg& svg, const ValueAxis& axis) const {
    for (std::size_t r = 0; r < table_.rows.size(); ++r) {
      for (std::size_t b = 0; b < bars_.series.size(); ++b) {
        double from = 0;
        for (const std::size_t s : bars_.series[b]) {
          const PaperNumber* number = chart_.paper_number(table_.rows[r].label, table_.series[s].name);
          if (number != nullptr) {
            PaperNumber placed = *number;
            draw_paper_mark(svg, bar_x(r, b) + bar_ / 2, axis.place(from + placed.value), placed,
                            chart_.format);
          }
          from += table_.cells[r][s].value_or(0);
        }
      }
    }
  }

  const FigureChart& chart_;
  const FigureTable& table_;
  Bars bars_;
  double bar_ = 0;
  double group_ = 0;
  double plot_width_ = 0;
  double width_ = 0;
  double top_ = 0;
};

}  // namespace

const PaperNumber* FigureChart::paper_number(const std::string& row, const std::string& series) const {
  const auto found = std::find_if(paper.begin(), paper.end(), [&](const PaperNumber& number) {
    return number.row == row && number.series == series;
  });
  return found == paper.end() ? nullptr : &*found;
}

std::string draw_bars(const FigureChart& chart) { return BarChart(chart).draw(); }

}  // namespace heddle
