#pragma once

#include "top/reproduction/custom/custom_figure.h"

namespace heddle {

/// The lives of the warps of a thread block, and what is held beyond them (WarpMan figures 4, 9 and 11). The
/// point is `run`; which block, chosen_tb().
class WarpLives final : public CustomFigure {
 public:
  FigureTable evaluate(const FigureDefinition& figure, const PaperPoints& results) const override;
  void check(const FigureTable& table) const override;
  std::string draw(const FigureDefinition& figure, const FigureTable& table) const override;
};

}  // namespace heddle
