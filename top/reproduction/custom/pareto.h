#pragma once

#include "top/reproduction/custom/custom_figure.h"

namespace heddle {

/// Combinations of schedulers and resource management by what they cost and gain, over the figure's rows:
/// geometric means of run times and energy against the point `base`. `with`:
/// - `keys`: the coordinates that tell combinations apart, with blanks between them;
/// - `cost`: the figure of a run that is its cost, of which the largest of the rows is taken;
/// - `budgets`: costs with blanks between them. With it each row of the table is the fastest combination
/// within a budget,
///   else the rows are the front: combinations that none of as little cost is as fast as.
class Pareto final : public CustomFigure {
 public:
  std::set<std::string> wanted_figures(const FigureDefinition& figure) const override;
  bool wants_details() const override { return false; }
  FigureTable evaluate(const FigureDefinition& figure, const PaperPoints& results) const override;
  void check(const FigureTable& table) const override;
  /// All combinations as points, over a logarithmic axis of cost, with the front.
  std::string draw(const FigureDefinition& figure, const FigureTable& table) const override;
};

}  // namespace heddle
