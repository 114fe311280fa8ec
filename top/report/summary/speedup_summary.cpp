#include "top/report/summary/speedup_summary.h"

#include <cmath>

#include "top/support/stats_file.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;

constexpr const char* kSpeedup = "speedup";
constexpr const char* kSpeedupLow = "speedup_low";
constexpr const char* kSpeedupHigh = "speedup_high";

}  // namespace

SpeedupSummary SpeedupSummary::of(const std::vector<std::optional<Speedup>>& speedups) {
  SpeedupSummary summary;
  summary.mean = mean_of(speedups);
  for (const auto& speedup : speedups) {
    if (!speedup) continue;
    if (speedup->is_open() || std::fabs(speedup->value - 1) <= kTie) {
      ++summary.level;
    } else {
      ++(speedup->value > 1 ? summary.faster : summary.slower);
    }
  }
  return summary;
}

void add_figure_column(std::vector<TableColumn>& columns, const TableColumn& column, bool estimates) {
  columns.push_back(column);
  if (!estimates) return;
  TableColumn half = column;
  half.key = half_interval_name(column.key);
  half.heading = column.heading + " +/-";
  half.ink = nullptr;
  columns.push_back(std::move(half));
}

void put_figure(Table::Row& row, const std::string& key, const std::optional<RunFigures>& figures,
                const std::string& metric) {
  if (!figures) return;
  row[key] = cell(figures->value(metric));
  row[half_interval_name(key)] = cell(figures->half(metric));
}

void add_speedup_columns(std::vector<TableColumn>& columns, bool estimates) {
  columns.push_back(
      {kSpeedup, "speedup", Kind::kDecimal, Rank::kKey, TableColumn::For::kAll, &ink_of_speedup});
  if (!estimates) return;
  columns.push_back({kSpeedupLow, "speedup, from", Kind::kDecimal, Rank::kKey});
  columns.push_back({kSpeedupHigh, "to", Kind::kDecimal, Rank::kKey});
}

void put_speedup(Table::Row& row, const std::optional<Speedup>& speedup) {
  if (!speedup) return;
  row[kSpeedup] = speedup->value;
  row[kSpeedupLow] = speedup->low;
  if (std::isfinite(speedup->high)) row[kSpeedupHigh] = speedup->high;
}

void add_summary_columns(std::vector<TableColumn>& columns, bool estimates) {
  columns.insert(columns.end(), {{"faster", "faster", Kind::kWhole},
                                 {"level", estimates ? "within 1% or open" : "within 1%", Kind::kWhole},
                                 {"slower", "slower", Kind::kWhole}});
}

void put_summary(Table::Row& row, const SpeedupSummary& summary) {
  put_speedup(row, summary.mean);
  row["faster"] = summary.faster;
  row["level"] = summary.level;
  row["slower"] = summary.slower;
}

Ink ink_of_speedup(const Table::Cell& cell) {
  if (!cell.is_number()) return Ink::kPlain;
  const auto speedup = cell.get<double>();
  if (speedup > 1 + kTie) return Ink::kGood;
  return speedup < 1 - kTie ? Ink::kBad : Ink::kPlain;
}

void put_price(Table::Row& row, const std::optional<RunFigures>& figures) {
  if (!figures) return;
  row["bits_per_sm"] = figures->priced ? Table::Cell(figures->bits_per_sm) : Table::Cell("unpriced");
  row["nand2_per_sm"] = figures->priced ? Table::Cell(figures->nand2_per_sm) : Table::Cell("unpriced");
}

}  // namespace heddle
