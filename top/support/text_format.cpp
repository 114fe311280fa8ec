#include "top/support/text_format.h"

#include <fmt/format.h>

#include <cmath>

namespace heddle {

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t i = text.size(); i > 3; i -= 3) {
    text.insert(i - 3, ",");
  }
  return text;
}

std::string percent(std::optional<double> share) {
  return share ? fmt::format("{:.1f} %", *share * 100) : "-";
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
