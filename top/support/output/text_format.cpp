#include "top/support/output/text_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace heddle {

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t i = text.size(); i > 3; i -= 3) {
    text.insert(i - 3, ",");
  }
  return text;
}

std::string rounded(double value, int digits) {
  constexpr int kGrouped = 3;
  constexpr int kMost = 15;
  const std::string scientific = fmt::format("{:.{}e}", value, digits - 1);
  const std::size_t mark = scientific.find('e');
  const int exponent = mark == std::string::npos ? kMost : std::stoi(scientific.substr(mark + 1));
  if (value == 0 || std::abs(exponent) >= kMost) return fmt::format("{:.{}g}", value, digits);
  const double nearest = std::stod(scientific);
  if (exponent >= kGrouped)
    return (value < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::llround(std::fabs(nearest))));
  std::string text = fmt::format("{:.{}f}", nearest, std::max(0, digits - 1 - exponent));
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

std::string percent(std::optional<double> share) {
  return share ? fmt::format("{:.1f}%", *share * 100) : "-";
}

std::string duration_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  return seconds < 6000 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

std::string bar(double share, unsigned width) {
  const auto length = static_cast<std::size_t>(std::lround(share * width));
  if (length == 0) {
    return share > 0 ? "." : "";
  }
  std::string filled(length, '#');
  return filled;
}

}  // namespace heddle
