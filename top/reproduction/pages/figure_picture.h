#pragma once

#include <string>

#include "top/reproduction/definition/figure_definition.h"
#include "top/reproduction/figures/figure_table.h"

namespace heddle {

/// The picture of a figure as SVG; "" of one that is a table, or has no row.
std::string figure_picture(const FigureDefinition& figure, const FigureTable& table);
/// Its file in the folder of the pages: "pictures/pro_figure_4.svg".
std::string picture_file(const std::string& paper_id, const FigureDefinition& figure);

}  // namespace heddle
