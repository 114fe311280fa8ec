#include "top/reproduction/definition/figure_definition.h"

#include <algorithm>
#include <cctype>

namespace heddle {

std::string FigureDefinition::id() const {
  std::string id;
  for (const char c : name) {
    if (c == ' ') {
      id += '_';
    } else if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return id;
}

std::vector<std::string> FigureDefinition::row_names() const {
  std::vector<std::string> names = axis ? axis->values : std::vector<std::string>{};
  for (const RowDefinition& row : rows) {
    if (!axis) names.push_back(row.label);
  }
  for (const SummaryDefinition& one : summary) names.push_back(one.label);
  return names;
}

std::vector<std::string> FigureDefinition::series_names() const {
  std::vector<std::string> names;
  for (const SeriesDefinition& one : series) {
    if (axis && shows_rows()) {
      const bool alone = series.size() == 1 || fold;
      for (const RowDefinition& row : rows) names.push_back(alone ? row.label : row.label + ", " + one.name);
    }
    if (!axis || fold || rows.empty()) names.push_back(one.name);
  }
  return names;
}

std::vector<std::string> FigureDefinition::experiments() const {
  std::vector<std::string> names;
  if (!experiment.empty()) names.push_back(experiment);
  for (const auto& [point, choice] : points) {
    if (choice.experiment.empty()) continue;
    if (std::find(names.begin(), names.end(), choice.experiment) == names.end()) {
      names.push_back(choice.experiment);
    }
  }
  return names;
}

}  // namespace heddle
