#pragma once

#include "top/reproduction/custom/custom_figure.h"

namespace heddle {

/// Run times of the rows' kernels, and mean and relative deviation of the durations of their thread blocks
/// (SRTF table 3), of the first launch of the kernel. The point is `run`.
class TbDurations final : public CustomFigure {
 public:
  FigureTable evaluate(const FigureDefinition& figure, const PaperPoints& results) const override;
};

}  // namespace heddle
