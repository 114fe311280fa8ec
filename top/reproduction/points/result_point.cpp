#include "top/reproduction/points/result_point.h"

namespace heddle {

std::string ResultPoint::name() const {
  std::string text;
  for (const auto& [key, value] : coordinates) {
    if (!text.empty()) text += ", ";
    text.append(key).append(" ").append(value);
  }
  return text;
}

void add_launch(FigureValues& sum, const FigureValues& launch) {
  for (auto figure = sum.begin(); figure != sum.end();) {
    const auto more = launch.find(figure->first);
    if (more == launch.end() || !figure->second.adds_up) {
      figure = sum.erase(figure);
      continue;
    }
    figure->second.value += more->second.value;
    ++figure;
  }
}

}  // namespace heddle
