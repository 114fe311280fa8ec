#pragma once

#include <optional>
#include <vector>

#include "top/report/report_table.h"

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
void add_summary_columns(std::vector<ReportColumn>& columns);

}  // namespace heddle
