#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "top/reproduction/definition/paper_definition.h"
#include "top/reproduction/figures/paper_results.h"
#include "top/text/output_format.h"

namespace heddle {

/// A number of a figure that another folder has otherwise.
struct NumberDifference {
  std::string figure;  ///< its name
  std::string row;
  std::string series;
  std::optional<double> here;
  std::optional<double> there;
};

/// How numbers compare with those of another folder of pages, as PAPER.json has them: to six digits.
struct NumberDifferences {
  std::size_t equal = 0;
  std::vector<NumberDifference> differ;
  std::vector<std::string> drawings;   ///< figures of which what is drawn beside the numbers differs
  std::size_t not_run = 0;             ///< numbers of the folder of which points are missing here
  std::vector<std::string> not_there;  ///< figures that the folder doesn't have in this size

  bool any() const { return !differ.empty() || !drawings.empty(); }
  /// No number was there on both sides.
  bool nothing_compared() const { return equal == 0 && !any(); }
};

/// Of `figures` in a size. A figure without a table here is left out.
NumberDifferences number_differences(const std::vector<const FigureDefinition*>& figures,
                                     const PaperResults& here, const PaperResults& there,
                                     const std::string& size);

/// For people: a line that counts, and a table of what differs.
std::string differences_report(const NumberDifferences& differences, const std::string& folder,
                               OutputFormat format);

}  // namespace heddle
