#pragma once

#include <string>
#include <vector>

#include "top/reproduction/definition/paper_definition.h"
#include "top/reproduction/figures/paper_results.h"
#include "top/text/output_format.h"

namespace heddle {

/// What `heddle reproduce` prints of `figures`: for people each figure's table, then the paper's numbers
/// beside ours with the ratio, and the headline figures; for programs a line for each value. `there`: of
/// another folder, whose values programs get in a column; nullptr without.
std::string reproduction_report(const PaperDefinition& paper,
                                const std::vector<const FigureDefinition*>& figures,
                                const PaperResults& results, const std::string& size, OutputFormat format,
                                const PaperResults* there = nullptr);

}  // namespace heddle
