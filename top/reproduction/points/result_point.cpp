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

bool adds_up(const std::string& figure) {
  if (figure == "cycles") return true;
  const std::size_t dot = figure.rfind('.');
  if (dot == std::string::npos) return false;
  const std::string name = figure.substr(dot + 1);
  const auto has = [&name](const char* part) { return name.find(part) != std::string::npos; };
  return !has("peak") && !has("efficiency") && !has("degree") && !has("place") && name != "cycle" &&
         name != "pc";
}

void add_launch(FigureValues& sum, const FigureValues& launch) {
  for (auto figure = sum.begin(); figure != sum.end();) {
    const auto more = launch.find(figure->first);
    FigureValue& value = figure->second;
    if (more == launch.end() || (!value.adds_up && value.value != more->second.value)) {
      figure = sum.erase(figure);
      continue;
    }
    if (value.adds_up) value.value += more->second.value;
    ++figure;
  }
}

}  // namespace heddle
