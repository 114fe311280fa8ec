#pragma once

#include <optional>
#include <string>
#include <vector>

#include "top/reproduction/definition/figure_definition.h"
#include "top/reproduction/figures/five_numbers.h"

namespace heddle {

/// A box beside the others of its group.
struct LabelledBox {
  std::string group;   ///< below the box; boxes of a group stand together
  std::string series;  ///< its colour
  FiveNumbers numbers;
};

/// Boxes from quartile to quartile with the median, whiskers, and a circle for each outlier. `reference`: a
/// dashed line.
std::string draw_boxes(const std::string& title, const std::vector<LabelledBox>& boxes,
                       const std::string& unit, std::optional<double> reference);

}  // namespace heddle
