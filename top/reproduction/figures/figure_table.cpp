#include "top/reproduction/figures/figure_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "top/support/results.h"

namespace heddle {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// Six significant digits; a whole number without a fraction.
OrderedJson rounded(const std::optional<double>& value) {
  if (!value) return nullptr;
  const double short_value = std::strtod(fmt::format("{:.6g}", *value).c_str(), nullptr);
  constexpr double kExact = 1e15;
  if (std::abs(short_value) < kExact &&
      short_value == static_cast<double>(static_cast<std::int64_t>(short_value))) {
    return static_cast<std::int64_t>(short_value);
  }
  return short_value;
}

template <typename Item>
std::optional<std::size_t> place_of(const std::vector<Item>& items, const std::string& name,
                                    std::string Item::*member) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.*member == name; });
  if (found == items.end()) return std::nullopt;
  return static_cast<std::size_t>(found - items.begin());
}

}  // namespace

std::optional<double> FigureTable::value(const std::string& row, const std::string& series_name) const {
  const std::optional<std::size_t> r = place_of(rows, row, &Row::label);
  const std::optional<std::size_t> s = place_of(series, series_name, &Series::name);
  return r && s ? cells[*r][*s] : std::nullopt;
}

std::size_t FigureTable::filled() const {
  std::size_t count = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].summary) continue;
    for (const auto& cell : cells[r]) count += cell ? 1 : 0;
  }
  return count;
}

std::size_t FigureTable::size() const {
  std::size_t count = 0;
  for (const Row& row : rows) count += row.summary ? 0 : series.size();
  return count;
}

void FigureTable::need_series(std::size_t count) const {
  if (series.size() < count)
    throw ResultsError(fmt::format("found {} series, expected {}", series.size(), count));
}

OrderedJson FigureTable::json() const {
  OrderedJson json;
  if (!row_heading.empty()) json["row_heading"] = row_heading;
  OrderedJson& series_list = json["series"] = OrderedJson::array();
  for (const Series& one : series) {
    series_list.push_back(one.bar.empty() ? OrderedJson{{"name", one.name}}
                                          : OrderedJson{{"name", one.name}, {"bar", one.bar}});
  }
  OrderedJson& row_list = json["rows"] = OrderedJson::array();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    OrderedJson row{{"label", rows[r].label}};
    if (rows[r].summary) row["summary"] = true;
    if (rows[r].counts) row["counts"] = true;
    OrderedJson& values = row["values"] = OrderedJson::array();
    for (const auto& cell : cells[r]) values.push_back(rounded(cell));
    row_list.push_back(std::move(row));
  }
  if (!extra.is_null()) json["extra"] = extra;
  return json;
}

FigureTable FigureTable::of(const OrderedJson& json) {
  FigureTable table;
  table.row_heading = json.value("row_heading", "");
  for (const OrderedJson& one : json.at("series"))
    table.series.push_back({one.at("name").get<std::string>(), one.value("bar", "")});
  for (const OrderedJson& row : json.at("rows")) {
    table.rows.push_back(
        {row.at("label").get<std::string>(), row.value("summary", false), row.value("counts", false)});
    std::vector<std::optional<double>>& cells = table.cells.emplace_back();
    const OrderedJson& values = row.at("values");
    for (const OrderedJson& value : values) {
      cells.push_back(value.is_null() ? std::nullopt : std::optional<double>(value.get<double>()));
    }
    if (cells.size() != table.series.size()) {
      throw OrderedJson::other_error::create(
          501,
          fmt::format("found {} values in row '{}', expected {}, one of each series", cells.size(),
                      table.rows.back().label, table.series.size()),
          &values);
    }
  }
  if (json.contains("extra")) table.extra = json.at("extra");
  return table;
}

}  // namespace heddle
