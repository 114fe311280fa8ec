#pragma once

#include <optional>
#include <vector>

#include "top/reproduction/definition/figure_definition.h"

namespace heddle {

/// What the values that are there come to; nothing without any, and a geometric mean of values that are not
/// all above 0 is nothing either. `reference`: what kAbove, kLevel and kBelow count by, within kTie.
std::optional<double> fold_values(Fold fold, const std::vector<std::optional<double>>& values,
                                  double reference);

/// It counts rows.
constexpr bool is_count(Fold fold) {
  return fold == Fold::kAbove || fold == Fold::kLevel || fold == Fold::kBelow;
}

}  // namespace heddle
