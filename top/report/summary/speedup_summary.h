#pragma once

#include <optional>
#include <vector>

#include "top/batch/run_figures.h"
#include "top/report/summary/speedup.h"
#include "top/text/table.h"

namespace heddle {

/// Speedups up to this far from 1 are ties: what a few cycles more or less at the end of a grid make.
constexpr double kTie = 0.01;

/// What speedups over several workloads come to.
struct SpeedupSummary {
  std::optional<Speedup> mean;  ///< geometric; nothing when one of them is not known
  unsigned faster = 0;          ///< by more than kTie
  unsigned level = 0;           ///< also those that are open
  unsigned slower = 0;

  static SpeedupSummary of(const std::vector<std::optional<Speedup>>& speedups);
};

/// A figure with, when figures are `estimates`, half its interval beside it.
void add_figure_column(std::vector<TableColumn>& columns, const TableColumn& column, bool estimates);
/// The figure `metric` of a run in the column `key`, and half its interval.
void put_figure(Table::Row& row, const std::string& key, const std::optional<RunFigures>& figures,
                const std::string& metric);

/// The columns of a speedup: with its ends when figures are `estimates`.
void add_speedup_columns(std::vector<TableColumn>& columns, bool estimates);
void put_speedup(Table::Row& row, const std::optional<Speedup>& speedup);

/// The columns of `faster`, `level` and `slower`.
void add_summary_columns(std::vector<TableColumn>& columns, bool estimates);
/// All of a summary.
void put_summary(Table::Row& row, const SpeedupSummary& summary);

/// The ink of a speedup that is no tie.
Ink ink_of_speedup(const Table::Cell& cell);

/// Bits and NAND2-equivalents per SM, as "bits_per_sm" and "nand2_per_sm": none without figures, "unpriced"
/// when not known.
void put_price(Table::Row& row, const std::optional<RunFigures>& figures);

}  // namespace heddle
