#pragma once

#include "top/reproduction/custom/custom_figure.h"

namespace heddle {

/// PRO, table IV: the order in which PRO has the TBs of SM 0 at each threshold. TBs are numbered in the order
/// in which they come to the SM. Of the definition: the point `run`, with scheduler.pro.logged_sorts; `with`:
/// places (columns).
class TbOrder : public CustomFigure {
 public:
  FigureTable evaluate(const FigureDefinition& figure, const PaperPoints& results) const override;
};

}  // namespace heddle
