#include "top/reproduction/charts/value_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

/// "276470" as "276,470".
std::string grouped(std::string digits) {
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

/// 1, 2 or 5 times a power of ten, such that about `parts` of them make `range`.
double round_step(double range, double parts) {
  const double raw = range / parts;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power * (1 + 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

std::string shown_value(double value, FigureFormat format) {
  if (format == FigureFormat::kPercent) return fmt::format("{:.1f}%", 100 * value);
  constexpr double kWhole = 1000;
  if (format == FigureFormat::kCount) {
    const bool whole = value == std::round(value) || std::abs(value) >= kWhole;
    return whole ? grouped(fmt::format("{:.0f}", value)) : fmt::format("{:.2f}", value);
  }
  constexpr double kNoFraction = 100;
  return std::abs(value) >= kNoFraction ? grouped(fmt::format("{:.0f}", value))
                                        : fmt::format("{:.3f}", value);
}

ValueAxis::ValueAxis(const std::vector<double>& values, double top, double bottom)
    : top_(top), bottom_(bottom) {
  double low = 0;
  double high = 0;
  for (const double value : values) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (high == low) high = low + 1;
  constexpr double kParts = 5;
  step_ = round_step(high - low, kParts);
  low_ = std::floor(low / step_) * step_;
  high_ = std::ceil(high / step_ - 1e-9) * step_;
}

double ValueAxis::place(double value) const {
  return bottom_ - (value - low_) / (high_ - low_) * (bottom_ - top_);
}

void ValueAxis::draw(Svg& svg, double left, double right, FigureFormat format, const std::string& unit,
                     double unit_x) const {
  const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step_) + 1e-9)));
  const auto ticks = static_cast<int>(std::round((high_ - low_) / step_));
  for (int tick = 0; tick <= ticks; ++tick) {
    const double value = low_ + tick * step_;
    const double y = place(value);
    svg.line(left, y, right, y, tick == 0 ? "#888888" : "#dddddd");
    const std::string label = format == FigureFormat::kPercent ? fmt::format("{:.0f}%", 100 * value)
                              : digits == 0                    ? grouped(fmt::format("{:.0f}", value))
                                                               : fmt::format("{:.{}f}", value, digits);
    constexpr double kGap = 4;
    svg.text(left - kGap, y + kGap, label, Svg::Anchor::kEnd);
  }
  svg.text(unit_x, (top_ + bottom_) / 2, unit, Svg::Anchor::kMiddle, 11, -90);
}

}  // namespace heddle
