#pragma once

#include <cstddef>
#include <vector>

#include "top/reproduction/definition/figure_definition.h"
#include "top/reproduction/figures/figure_table.h"
#include "top/reproduction/points/result_points.h"

namespace heddle {

/// The table of a figure that rows and series define, from the results of its experiments. A row without any
/// point of its own is left out; a cell whose points are not all there is empty. Throws ResultsError when a
/// choice of points is not unique.
FigureTable evaluate_figure(const FigureDefinition& figure, const PaperPoints& results);

/// Adds what the rows come to, in place of what `table` has of it. A column of which some value may come yet
/// has none.
void add_summaries(const FigureDefinition& figure, FigureTable& table);

/// Where the rows are that a summary of the figure is of, with a value or without.
std::vector<std::size_t> summarized_rows(const FigureDefinition& figure, const FigureTable& table,
                                         const SummaryDefinition& summary);

}  // namespace heddle
