#include "top/reproduction/pages/figure_comparison.h"

#include "top/reproduction/charts/value_axis.h"

namespace heddle {

std::optional<double> ComparedNumber::ratio() const {
  if (!ours || paper->value == 0) return std::nullopt;
  return *ours / paper->value;
}

std::vector<ComparedNumber> compared_numbers(const FigureDefinition& figure, const FigureTable& table) {
  std::vector<ComparedNumber> numbers;
  for (const PaperNumber& number : figure.paper)
    numbers.push_back({&number, table.value(number.row, number.series)});
  return numbers;
}

std::string shown_paper_number(const PaperNumber& number, FigureFormat format) {
  const std::string value = shown_value(number.value, format);
  switch (number.bound) {
    case PaperBound::kAtLeast:
      return "at least " + value;
    case PaperBound::kAtMost:
      return "at most " + value;
    default:
      return value;
  }
}

std::string shown_or_dash(const std::optional<double>& value, FigureFormat format) {
  return value ? shown_value(*value, format) : "-";
}

}  // namespace heddle
