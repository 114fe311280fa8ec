#pragma once

#include <string>

#include "top/reproduction/definition/paper_definition.h"
#include "top/reproduction/figures/paper_results.h"

namespace heddle {

/// The page of a paper: the headline figures, what was run, and each figure with its picture, the
/// paper's numbers and ours. It depends on the two alone.
std::string paper_page(const PaperDefinition& paper, const PaperResults& results);

/// The table of headline figures, as Markdown: the paper's, ours, how near. With `paper_column` a column in
/// front names the paper, as `name`.
std::string headline_heading(bool paper_column);
std::string headline_rows(const PaperDefinition& paper, const PaperResults& results, bool paper_column,
                          const std::string& name = "");

}  // namespace heddle
