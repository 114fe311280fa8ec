#pragma once

#include <memory>
#include <set>
#include <string>

#include "top/reproduction/definition/figure_definition.h"
#include "top/reproduction/figures/figure_table.h"
#include "top/reproduction/points/result_points.h"

namespace heddle {

/// A figure that rows and series can't say. Made by name from a definition's key `by`.
class CustomFigure {
 public:
  virtual ~CustomFigure() = default;

  /// Figures of stats.json that it asks for.
  virtual std::set<std::string> wanted_figures(const FigureDefinition& figure) const;
  /// It looks into ResultPoint::details.
  virtual bool wants_details() const { return true; }
  /// Its numbers; what it draws beside them goes into FigureTable::extra. Cells stay empty where points are
  /// missing.
  virtual FigureTable evaluate(const FigureDefinition& figure, const PaperPoints& results) const = 0;
  /// Of a table that was read from a file: throws nlohmann's exceptions or ResultsError when evaluate() gives
  /// no such one, in what its drawings need.
  virtual void check(const FigureTable& table) const;
  /// The picture, as SVG, of what evaluate() gave; "": drawn as any figure is.
  virtual std::string draw(const FigureDefinition& figure, const FigureTable& table) const;
};

/// Throws WorkloadError, at the figure's place, for a name that there is not.
std::unique_ptr<CustomFigure> make_custom_figure(const FigureDefinition& figure);

}  // namespace heddle
