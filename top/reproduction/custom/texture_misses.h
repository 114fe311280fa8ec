#pragma once

#include "top/reproduction/custom/custom_figure.h"

namespace heddle {

/// The misses of the texture cache by warp of a thread block (WarpMan figure 10). The point is `run`; which
/// block, chosen_tb().
class TextureMisses final : public CustomFigure {
 public:
  FigureTable evaluate(const FigureDefinition& figure, const PaperPoints& results) const override;
};

}  // namespace heddle
