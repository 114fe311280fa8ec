#pragma once

#include "top/reproduction/custom/custom_figure.h"

namespace heddle {

/// The thread blocks of a launch on one SM in the order of their ends, the line fitted to the ends, and the
/// run time of the staircase model (SRTF figures 2, 3 and 5). The point is `run`; `with` names the SM: its
/// number, or the one on which blocks are `least` or `most` staggered.
class Staircase final : public CustomFigure {
 public:
  FigureTable evaluate(const FigureDefinition& figure, const PaperPoints& results) const override;
  void check(const FigureTable& table) const override;
  std::string draw(const FigureDefinition& figure, const FigureTable& table) const override;
};

}  // namespace heddle
