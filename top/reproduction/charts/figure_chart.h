#pragma once

#include <string>
#include <vector>

#include "top/reproduction/definition/figure_definition.h"
#include "top/reproduction/figures/figure_table.h"

namespace heddle {

/// What is drawn of a figure: our values filled, the paper's numbers as hollow diamonds over them; a bound
/// that the paper gives as a triangle that points where the value may lie.
struct FigureChart {
  std::string title;
  const FigureTable& table;
  const std::vector<PaperNumber>& paper;
  FigureFormat format = FigureFormat::kRatio;
  std::string unit;
  std::optional<double> reference = std::nullopt;

  /// The paper's number for a row and series; nullptr without.
  const PaperNumber* paper_number(const std::string& row, const std::string& series) const;
};

// Each gives an SVG file.

/// A group of bars for each row; series of the same bar lie on each other.
std::string draw_bars(const FigureChart& chart);
/// A line for each series over the rows, which are numbers, or evenly spaced.
std::string draw_lines(const FigureChart& chart);

}  // namespace heddle
