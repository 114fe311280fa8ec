#pragma once

#include "top/reproduction/custom/custom_figure.h"

namespace heddle {

/// The most thread blocks that an SM holds at once (WarpMan figure 2): rows of the figure by its points.
class ResidentTbs final : public CustomFigure {
 public:
  FigureTable evaluate(const FigureDefinition& figure, const PaperPoints& results) const override;
};

}  // namespace heddle
