#pragma once

#include "top/reproduction/custom/custom_figure.h"

namespace heddle {

/// Which kernel's thread blocks the first SMs hold over time, and when the dispatch policy waited to sample a
/// kernel, sampled it, and handed an SM over (SRTF figures 12 and 13): a picture for each point of the
/// figure, one below the other. `with: {sms: N}`: how many SMs are drawn, 3 when not given.
class DispatchTimeline final : public CustomFigure {
 public:
  std::set<std::string> wanted_figures(const FigureDefinition& figure) const override;
  FigureTable evaluate(const FigureDefinition& figure, const PaperPoints& results) const override;
  void check(const FigureTable& table) const override;
  std::string draw(const FigureDefinition& figure, const FigureTable& table) const override;
};

}  // namespace heddle
