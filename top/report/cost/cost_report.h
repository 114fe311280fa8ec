#pragma once

#include <string>

#include "hw/reports/cost_table.h"
#include "top/text/output_format.h"

namespace heddle {

/// What `heddle cost` prints. Text and Markdown begin with a screenful: totals, the five structures with the
/// most NAND2-equivalents in the GPU, and the longest path; with `all` every structure, the area by purpose,
/// every path and the assumptions behind the estimates follow. CSV has a line per structure, JSON everything.
/// What is unpriced is named, and totals are then said to be incomplete: with "unpriced" beside the figure,
/// as null in JSON, as a row of the kind "unpriced" without figures in CSV.
std::string cost_report(const hw::CostTable& table, OutputFormat format, bool all);

}  // namespace heddle
