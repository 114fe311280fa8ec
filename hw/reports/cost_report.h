#pragma once

#include <string>
#include <string_view>

#include "hw/reports/cost_table.h"

namespace heddle::hw {

enum class CostFormat { kMarkdown, kCsv, kJson };

/// "md", "csv" or "json"; throws std::invalid_argument naming what was found otherwise.
CostFormat cost_format(std::string_view name);

// What is unpriced is named, and the totals are then said to be incomplete: with "unpriced" beside the figure
// in Markdown, as null in JSON, as a row of the kind "unpriced" without figures in CSV.

/// Markdown: structures, area by purpose, paths, totals, and the assumptions behind every estimate.
std::string cost_markdown(const CostTable& table);
/// One line per structure, with a head line; units stand in the names of the columns. Estimates have columns
/// for value, low and high.
std::string cost_csv(const CostTable& table);
/// Everything that the table holds, units in the key names.
std::string cost_json(const CostTable& table);

std::string write_cost(const CostTable& table, CostFormat format);

/// "flip-flops", "RAM", "CAM" or "-".
std::string_view storage_name(StorageKind kind);

}  // namespace heddle::hw
