#pragma once

#include <string>
#include <vector>

#include "top/reproduction/charts/svg.h"
#include "top/reproduction/definition/figure_definition.h"

namespace heddle {

/// A value as charts and pages show it: "1.127", "45.0%", "276,470".
std::string shown_value(double value, FigureFormat format);

/// The upright axis of a chart: round values between the least and the most that is shown.
class ValueAxis {
 public:
  /// `values`: all that is drawn; 0 is always there. `top` and `bottom`: where the highest and the lowest
  /// lie.
  ValueAxis(const std::vector<double>& values, double top, double bottom);

  double place(double value) const;
  /// Lines from `left` to `right`, with their values on the left, and what they are of, turned, at `unit_x`.
  void draw(Svg& svg, double left, double right, FigureFormat format, const std::string& unit,
            double unit_x) const;

 private:
  double low_ = 0;
  double high_ = 1;
  double step_ = 1;
  double top_;
  double bottom_;
};

}  // namespace heddle
