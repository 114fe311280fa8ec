#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "top/reproduction/points/point_choice.h"
#include "workloads/description/workload_error.h"

namespace heddle {

/// A benchmark of a figure: the runs, or the launches of a kernel in them, that stand for it.
struct RowDefinition {
  std::string label;
  std::vector<std::string> workloads;  ///< counts of several add up; {}: `where` alone says which point
  std::string kernel;                  ///< "": the whole run
  std::string group;                   ///< "" = none
  std::map<std::string, std::string> where;
};

/// A bar of each row, a line, or a column.
struct SeriesDefinition {
  std::string name;
  std::string value;  ///< FigureExpression, in which {x} stands for the axis's value
  std::string bar;    ///< series of the same bar are stacked on each other; "": a bar of its own
  std::string point;  ///< what `it` is in the expression; "": nothing
};

enum class Fold : std::uint8_t {
  kGeometricMean,
  kMean,
  kLeast,
  kMost,
  kSum,
  kAbove,  ///< rows that are more than 1% above the reference
  kLevel,  ///< within 1% of it
  kBelow
};

/// A row that follows: what the rows above come to.
struct SummaryDefinition {
  std::string label;
  Fold fold = Fold::kGeometricMean;
  std::vector<std::string> groups;  ///< {}: all rows
};

/// Values that take the place of the rows.
struct AxisDefinition {
  std::string label;
  std::string key;  ///< a coordinate of each point; "": the values stand in expressions alone
  std::vector<std::string> values;
  bool running_share = false;  ///< a value is the sum of those up to it over the sum of all
};

enum class FigureDrawing : std::uint8_t { kBars, kLines, kTable };
enum class FigureFormat : std::uint8_t { kRatio, kPercent, kCount };
enum class PaperBound : std::uint8_t { kExact, kAtLeast, kAtMost };

/// A number that the paper's text or one of its tables gives.
struct PaperNumber {
  SourceMark mark;
  std::string row;
  std::string series;
  double value = 0;
  PaperBound bound = PaperBound::kExact;
  std::string section;
};

/// A figure or table of a paper (docs/reproduction.md, "Definitions").
struct FigureDefinition {
  SourceMark mark;
  std::string name;  ///< "Figure 4", "Table III"
  std::string title;
  std::string section;
  std::string experiment;
  std::vector<RowDefinition> rows;            ///< of the groups that it has
  std::map<std::string, PointChoice> points;  ///< those that it asks for
  std::vector<SeriesDefinition> series;
  std::vector<SummaryDefinition> summary;
  std::optional<AxisDefinition> axis;
  std::optional<Fold> fold;  ///< with an axis: what becomes of the rows; nothing: each is a series
  bool each_row = false;     ///< with a fold: each row is a series beside it
  FigureDrawing drawing = FigureDrawing::kBars;
  FigureFormat format = FigureFormat::kRatio;
  std::string unit;
  std::optional<double> reference;
  std::vector<PaperNumber> paper;
  std::string note;  ///< Markdown
  std::string by;    ///< a CustomFigure; "": rows and series
  std::map<std::string, std::string> with;

  /// "figure_4", "table_iii".
  std::string id() const;
  /// Its experiments' names: its own and those of its points.
  std::vector<std::string> experiments() const;
  /// What its table's rows and series are called; of a figure by a class of its own none.
  std::vector<std::string> row_names() const;
  std::vector<std::string> series_names() const;
  /// With an axis: each row is a series.
  bool shows_rows() const { return !fold || each_row; }
};

}  // namespace heddle
