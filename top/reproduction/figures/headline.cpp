#include "top/reproduction/figures/headline.h"

#include <cmath>

namespace heddle {

std::optional<double> Headline::ratio() const {
  if (!ours() || definition->paper == 0) return std::nullopt;
  return *ours() / definition->paper;
}

std::optional<double> Headline::share_of_gain() const {
  if (!ours() || !definition->gain || definition->paper == 1) return std::nullopt;
  return (*ours() - 1) / (definition->paper - 1);
}

Closeness Headline::closeness() const {
  if (!ours()) return Closeness::kUnknown;
  const double size = definition->gain ? std::abs(definition->paper - 1) : std::abs(definition->paper);
  return std::abs(*ours() - definition->paper) <= size / 3 ? Closeness::kWithinAThird : Closeness::kFurther;
}

std::vector<Headline> headlines_of(const PaperDefinition& paper, const PaperResults& results) {
  std::vector<Headline> headlines;
  for (const HeadlineDefinition& definition : paper.headlines) {
    Headline headline;
    headline.definition = &definition;
    const std::string figure = paper.find(definition.figure)->id();
    const auto value = [&](const char* size) {
      const FigureTable* const table = results.table(figure, size);
      return table == nullptr ? std::nullopt : table->value(definition.row, definition.series);
    };
    headline.full = value(kFullSize);
    headline.quick = value(kQuickSize);
    headlines.push_back(headline);
  }
  return headlines;
}

}  // namespace heddle
