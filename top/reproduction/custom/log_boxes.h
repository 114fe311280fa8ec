#pragma once

#include "top/reproduction/custom/custom_figure.h"

namespace heddle {

/// Box plots of what the logs of the figure's rows hold. `with: {kind: ...}` says what:
/// - durations: of thread blocks, over their launch's mean (SRTF figure 6), a box a row;
/// - structure: run times predicted by linear regression and by the staircase, over the true ones (SRTF
/// figure 4), by
///   launch and SM, boxes for each group of rows;
/// - slicing: by Simple Slicing with slices and without (SRTF figure 11), likewise.
/// The point is `run`.
class LogBoxes final : public CustomFigure {
 public:
  FigureTable evaluate(const FigureDefinition& figure, const PaperPoints& results) const override;
  void check(const FigureTable& table) const override;
  std::string draw(const FigureDefinition& figure, const FigureTable& table) const override;
};

}  // namespace heddle
