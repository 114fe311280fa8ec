#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "top/reproduction/charts/figure_chart.h"
#include "top/reproduction/charts/svg.h"

namespace heddle {

/// The colour of the series in place `index` (Okabe and Ito's, which colour-blind people tell apart).
const char* series_colour(std::size_t index);

/// The paper's number at a place.
void draw_paper_mark(Svg& svg, double x, double y, const PaperNumber& number, FigureFormat format);

/// Names with their colours, in lines not longer than `width`, and the paper's mark when there is one; from
/// `y` down. draw_legend() draws what legend_height() makes room for.
double legend_height(const std::vector<std::string>& names, double width, bool paper);
void draw_legend(Svg& svg, const std::vector<std::string>& names, double left, double y, double width,
                 bool paper);

/// All numbers of a chart.
std::vector<double> values_of(const FigureChart& chart);

}  // namespace heddle
