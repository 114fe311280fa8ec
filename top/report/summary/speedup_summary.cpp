#include "top/report/summary/speedup_summary.h"

#include <cmath>

namespace heddle {

SpeedupSummary SpeedupSummary::of(const std::vector<std::optional<double>>& speedups) {
  SpeedupSummary summary;
  summary.mean = geometric_mean(speedups);
  for (const auto& speedup : speedups) {
    if (!speedup) continue;
    if (*speedup > 1 + kTie) {
      ++summary.faster;
    } else if (*speedup < 1 - kTie) {
      ++summary.slower;
    } else {
      ++summary.level;
    }
  }
  return summary;
}

void add_summary_columns(std::vector<TableColumn>& columns) {
  using Kind = TableColumn::Kind;
  columns.insert(columns.end(), {{"faster", "faster", Kind::kWhole},
                                 {"level", "within 1%", Kind::kWhole},
                                 {"slower", "slower", Kind::kWhole}});
}

std::optional<double> geometric_mean(const std::vector<std::optional<double>>& values) {
  double sum = 0;
  for (const auto& value : values) {
    if (!value || *value <= 0) return std::nullopt;
    sum += std::log(*value);
  }
  if (values.empty()) return std::nullopt;
  return std::exp(sum / static_cast<double>(values.size()));
}

Ink ink_of_speedup(const Table::Cell& cell) {
  if (!cell.is_number()) return Ink::kPlain;
  const auto speedup = cell.get<double>();
  if (speedup > 1 + kTie) return Ink::kGood;
  return speedup < 1 - kTie ? Ink::kBad : Ink::kPlain;
}

void add_price_cells(std::vector<Table::Cell>& row, const std::optional<RunFigures>& figures) {
  if (!figures) {
    row.insert(row.end(), 2, Table::Cell());
  } else if (!figures->priced) {
    row.insert(row.end(), 2, Table::Cell("unpriced"));
  } else {
    row.emplace_back(figures->bits_per_sm);
    row.emplace_back(figures->nand2_per_sm);
  }
}

}  // namespace heddle
