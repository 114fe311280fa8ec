#include "top/report/report_table.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace heddle {

namespace {

using Kind = ReportColumn::Kind;

std::string shown(const ReportTable::Cell& cell, Kind kind) {
  if (cell.is_null()) {
    return "-";
  }
  if (!cell.is_number()) {
    return cell.get<std::string>();
  }
  constexpr double kPercent = 100;
  switch (kind) {
    case Kind::kPercent:
      return fmt::format("{:.1f}%", kPercent * cell.get<double>());
    case Kind::kTenths:
      return fmt::format("{:.1f}", cell.get<double>());
    case Kind::kDecimal:
      return fmt::format("{:.3f}", cell.get<double>());
    default:
      return fmt::format("{:.0f}", cell.get<double>());
  }
}

/// Quoted when it has to be (RFC 4180).
std::string field(const ReportTable::Cell& cell) {
  if (cell.is_null()) {
    return "";
  }
  if (!cell.is_string()) {
    return cell.dump();
  }
  auto text = cell.get<std::string>();
  if (text.find_first_of(",\"\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

}  // namespace

void ReportTable::add(std::vector<Cell> row) {
  if (row.size() != columns_.size()) {
    throw std::logic_error(
        fmt::format("a row of {} cells in a table of {} columns", row.size(), columns_.size()));
  }
  rows_.push_back(std::move(row));
}

std::string ReportTable::markdown() const {
  std::string head = "|";
  std::string rule = "|";
  for (const ReportColumn& column : columns_) {
    head += " " + column.heading + " |";
    rule += column.kind == Kind::kText ? " --- |" : " ---: |";
  }
  std::string text = head + "\n" + rule + "\n";
  for (const auto& row : rows_) {
    text += "|";
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      text += " " + shown(row[i], columns_[i].kind) + " |";
    }
    text += "\n";
  }
  return text;
}

std::string ReportTable::csv() const {
  std::string text;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    text += (i == 0 ? "" : ",") + field(columns_[i].key);
  }
  text += "\n";
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      text += (i == 0 ? "" : ",") + field(row[i]);
    }
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json ReportTable::json() const {
  auto list = nlohmann::ordered_json::array();
  for (const auto& row : rows_) {
    nlohmann::ordered_json object;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      object[columns_[i].key] = row[i];
    }
    list.push_back(std::move(object));
  }
  return list;
}

std::string ReportTable::text(hw::CostFormat format) const {
  switch (format) {
    case hw::CostFormat::kCsv:
      return csv();
    case hw::CostFormat::kJson:
      return json().dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    default:
      return markdown();
  }
}

ReportTable::Cell cell(const std::optional<double>& value) {
  return value ? ReportTable::Cell(*value) : ReportTable::Cell();
}

ReportTable::Cell whole_cell(const std::optional<double>& value) {
  return value ? ReportTable::Cell(std::llround(*value)) : ReportTable::Cell();
}

std::optional<double> geometric_mean(const std::vector<std::optional<double>>& values) {
  double sum = 0;
  for (const auto& value : values) {
    if (!value || *value <= 0) {
      return std::nullopt;
    }
    sum += std::log(*value);
  }
  if (values.empty()) {
    return std::nullopt;
  }
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace heddle
