#pragma once

#include <optional>
#include <vector>

#include "top/batch/run_figures.h"
#include "top/text/table.h"

namespace heddle {

/// Speedups up to this far from 1 are ties: what a few cycles more or less at the end of a grid make.
constexpr double kTie = 0.01;

/// What speedups over several workloads come to.
struct SpeedupSummary {
  std::optional<double> mean;  ///< geometric; nothing when one of them is not known
  unsigned faster = 0;         ///< by more than kTie
  unsigned level = 0;
  unsigned slower = 0;

  static SpeedupSummary of(const std::vector<std::optional<double>>& speedups);
};

/// The columns of `faster`, `level` and `slower`, in this order.
void add_summary_columns(std::vector<TableColumn>& columns);

/// Geometric mean; nothing when a value is missing or not above 0, or there are none.
std::optional<double> geometric_mean(const std::vector<std::optional<double>>& values);

/// The ink of a speedup that is no tie.
Ink ink_of_speedup(const Table::Cell& cell);

/// The cells of bits and NAND2-equivalents per SM; empty ones without figures, "unpriced" when not known.
void add_price_cells(std::vector<Table::Cell>& row, const std::optional<RunFigures>& figures);

}  // namespace heddle
