#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hw/reports/cost_report.h"

namespace heddle {

struct ReportColumn {
  enum class Kind : std::uint8_t { kText, kWhole, kTenths, kDecimal, kPercent };
  std::string key;      ///< in CSV and JSON, with its unit where it has one
  std::string heading;  ///< in Markdown
  Kind kind = Kind::kText;
};

/// A table for people (Markdown) and programs (CSV, JSON). A cell is a text, a number or null, which stands
/// for what does not apply.
class ReportTable {
 public:
  using Cell = nlohmann::ordered_json;

  explicit ReportTable(std::vector<ReportColumn> columns) : columns_(std::move(columns)) {}

  /// One cell per column.
  void add(std::vector<Cell> row);
  bool empty() const { return rows_.empty(); }

  /// Figures are rounded: three decimals, one of tenths and percentages.
  std::string markdown() const;
  /// Figures with all their digits; null is an empty field.
  std::string csv() const;
  /// An array with an object per row.
  nlohmann::ordered_json json() const;
  /// One of them.
  std::string text(hw::CostFormat format) const;

 private:
  std::vector<ReportColumn> columns_;
  std::vector<std::vector<Cell>> rows_;
};

/// The cell of a figure that may not apply.
ReportTable::Cell cell(const std::optional<double>& value);
/// The same of a count, which JSON has no fraction of.
ReportTable::Cell whole_cell(const std::optional<double>& value);

/// Geometric mean; nothing when a value is missing or not above 0, or there are none.
std::optional<double> geometric_mean(const std::vector<std::optional<double>>& values);

}  // namespace heddle
