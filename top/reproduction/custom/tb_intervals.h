#pragma once

#include "top/reproduction/custom/custom_figure.h"

namespace heddle {

/// PRO, figure 2: when each TB of SM 0 ran, under two schedulers side by side. TBs are numbered in the order
/// in which they began. Of the definition: the points `left` and `right` of runs with a log of thread blocks;
/// `with`: left and right, the names that the pictures have.
class TbIntervals : public CustomFigure {
 public:
  FigureTable evaluate(const FigureDefinition& figure, const PaperPoints& results) const override;
  void check(const FigureTable& table) const override;
  std::string draw(const FigureDefinition& figure, const FigureTable& table) const override;
};

}  // namespace heddle
