#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "top/text/output_format.h"
#include "top/text/terminal.h"

namespace heddle {

struct TableColumn {
  /// kFigure: any number, whole as it is, another with six digits.
  enum class Kind : std::uint8_t { kText, kWhole, kTenths, kDecimal, kPercent, kFigure };
  /// What a narrow terminal goes without: details first, keys never.
  enum class Rank : std::uint8_t { kKey, kUsual, kDetail };
  /// For people: text and Markdown. For programs: CSV and JSON.
  enum class For : std::uint8_t { kAll, kPeople, kPrograms };

  std::string key;      ///< in CSV and JSON, with its unit where it has one
  std::string heading;  ///< in text and Markdown
  Kind kind = Kind::kText;
  Rank rank = Rank::kUsual;
  For whom = For::kAll;
  /// The ink of a cell on a terminal; nullptr: plain.
  Ink (*ink)(const nlohmann::ordered_json& cell) = nullptr;
};

/// A table for people (text, Markdown) and programs (CSV, JSON). A cell is a text, a number or null, which
/// stands for what does not apply.
class Table {
 public:
  using Cell = nlohmann::ordered_json;
  /// Cells by the keys of their columns.
  using Row = std::map<std::string, Cell>;

  explicit Table(std::vector<TableColumn> columns) : columns_(std::move(columns)) {}

  /// One cell per column.
  void add(std::vector<Cell> row);
  /// Of a column without a cell the cell is null; cells without a column are left out.
  void add_by_key(const Row& row);
  bool empty() const { return rows_.empty(); }

  /// Aligned, figures rounded and grouped, no line longer than the layout's width: headings are wrapped
  /// first, then texts; then columns are left out by their rank, the last first, which a line below says.
  /// Where not even the keys have room, each row is a list of its cells.
  std::string text(const TextLayout& layout) const;
  /// Figures are rounded: three decimals, one of tenths and percentages.
  std::string markdown() const;
  /// Figures with all their digits; null is an empty field (RFC 4180, with line feeds).
  std::string csv() const;
  /// An array with an object per row.
  nlohmann::ordered_json json() const;
  /// One of them; text as stdout takes it.
  std::string print(OutputFormat format) const;

 private:
  std::vector<TableColumn> columns_;
  std::vector<std::vector<Cell>> rows_;
};

/// The cell of a figure that may not apply.
Table::Cell cell(const std::optional<double>& value);
/// The same of a count, which JSON has no fraction of.
Table::Cell whole_cell(const std::optional<double>& value);

/// "energy (nJ)": of a figure without a unit, with the unit "1" or one that its name says, the name.
std::string heading_with_unit(const std::string& name, const std::string& unit);

/// A JSON document as commands print it: two spaces a level, and a line break at its end.
std::string print_json(const nlohmann::ordered_json& json);

}  // namespace heddle
