#pragma once

#include <optional>
#include <string>
#include <vector>

#include "top/reproduction/definition/figure_definition.h"
#include "top/reproduction/figures/figure_table.h"

namespace heddle {

/// A number that the paper gives, and ours.
struct ComparedNumber {
  const PaperNumber* paper = nullptr;
  std::optional<double> ours;

  /// Ours over the paper's; nothing without ours, or when the paper's is 0.
  std::optional<double> ratio() const;
};

/// All that the paper gives for a figure, in the definition's order.
std::vector<ComparedNumber> compared_numbers(const FigureDefinition& figure, const FigureTable& table);

/// The paper's number as pages show it: "1.120", "at least 1.300".
std::string shown_paper_number(const PaperNumber& number, FigureFormat format);
/// Ours; "-" without.
std::string shown_or_dash(const std::optional<double>& value, FigureFormat format);

}  // namespace heddle
