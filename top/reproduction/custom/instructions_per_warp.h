#pragma once

#include "top/reproduction/custom/custom_figure.h"

namespace heddle {

/// The shares of a launch's warps by their dynamic instructions, in the log's bins (WarpMan figures 6 and 8).
/// The point is `run`; which launch, chosen_launch().
class InstructionsPerWarp final : public CustomFigure {
 public:
  FigureTable evaluate(const FigureDefinition& figure, const PaperPoints& results) const override;
};

}  // namespace heddle
