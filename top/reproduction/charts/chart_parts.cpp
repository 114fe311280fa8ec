#include "top/reproduction/charts/chart_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "top/reproduction/charts/value_axis.h"

namespace heddle {

namespace {

constexpr std::array<const char*, 12> kColours = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                  "#56b4e9", "#d55e00", "#999999", "#f0e442",
                                                  "#003f63", "#7a5400", "#004d38", "#66393f"};
constexpr const char* kInk = "#000000";
constexpr double kLineHeight = 16;
constexpr double kSwatch = 10;
constexpr double kGap = 16;

const std::string kPaperName = "the paper's number";

/// Where each entry of a legend begins, from the upper left corner.
std::vector<std::pair<double, double>> legend_places(const std::vector<std::string>& names, double width) {
  std::vector<std::pair<double, double>> places;
  double x = 0;
  double y = 0;
  for (const std::string& name : names) {
    const double entry = kSwatch + 4 + svg_text_width(name) + kGap;
    if (x > 0 && x + entry > width) {
      x = 0;
      y += kLineHeight;
    }
    places.emplace_back(x, y);
    x += entry;
  }
  return places;
}

std::vector<std::string> with_paper(std::vector<std::string> names, bool paper) {
  if (paper) names.push_back(kPaperName);
  return names;
}

}  // namespace

const char* series_colour(std::size_t index) { return kColours[index % kColours.size()]; }

void draw_paper_mark(Svg& svg, double x, double y, const PaperNumber& number, FigureFormat format) {
  constexpr double kRadius = 4.5;
  const std::string hint = fmt::format("the paper (section {}): {}{}", number.section,
                                       number.bound == PaperBound::kAtLeast  ? "at least "
                                       : number.bound == PaperBound::kAtMost ? "at most "
                                                                             : "",
                                       shown_value(number.value, format));
  switch (number.bound) {
    case PaperBound::kAtLeast:
      svg.shape({{x - kRadius, y}, {x + kRadius, y}, {x, y - 2 * kRadius}}, "#ffffff", kInk, hint);
      break;
    case PaperBound::kAtMost:
      svg.shape({{x - kRadius, y}, {x + kRadius, y}, {x, y + 2 * kRadius}}, "#ffffff", kInk, hint);
      break;
    default:
      svg.shape({{x - kRadius, y}, {x, y - kRadius}, {x + kRadius, y}, {x, y + kRadius}}, "#ffffff", kInk,
                hint);
  }
}

double legend_height(const std::vector<std::string>& names, double width, bool paper) {
  const auto places = legend_places(with_paper(names, paper), width);
  return places.empty() ? 0 : places.back().second + kLineHeight;
}

void draw_legend(Svg& svg, const std::vector<std::string>& names, double left, double y, double width,
                 bool paper) {
  const std::vector<std::string> all = with_paper(names, paper);
  const auto places = legend_places(all, width);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double x = left + places[i].first;
    const double middle = y + places[i].second + kLineHeight / 2;
    if (i < names.size()) {
      svg.rect(x, middle - kSwatch / 2, kSwatch, kSwatch, series_colour(i));
    } else {
      const double half = kSwatch / 2;
      svg.shape({{x, middle}, {x + half, middle - half}, {x + kSwatch, middle}, {x + half, middle + half}},
                "#ffffff", kInk);
    }
    svg.text(x + kSwatch + 4, middle + 4, all[i]);
  }
}

std::vector<double> values_of(const FigureChart& chart) {
  std::vector<double> values;
  const FigureTable& table = chart.table;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    std::vector<std::pair<std::string, double>> stacks;
    for (std::size_t s = 0; s < table.series.size(); ++s) {
      const FigureTable::Series& series = table.series[s];
      if (const PaperNumber* number = chart.paper_number(table.rows[r].label, series.name))
        values.push_back(number->value);
      if (!table.cells[r][s]) continue;
      if (series.bar.empty()) {
        values.push_back(*table.cells[r][s]);
        continue;
      }
      auto stack = std::find_if(stacks.begin(), stacks.end(),
                                [&](const auto& one) { return one.first == series.bar; });
      if (stack == stacks.end()) stack = stacks.insert(stacks.end(), {series.bar, 0});
      stack->second += *table.cells[r][s];
    }
    for (const auto& [bar, height] : stacks) values.push_back(height);
  }
  if (chart.reference) values.push_back(*chart.reference);
  return values;
}

}  // namespace heddle
