#include "top/report/speedup_summary.h"

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

void add_summary_columns(std::vector<ReportColumn>& columns) {
  using Kind = ReportColumn::Kind;
  columns.insert(columns.end(), {{"faster", "faster", Kind::kWhole},
                                 {"level", "within 1%", Kind::kWhole},
                                 {"slower", "slower", Kind::kWhole}});
}

}  // namespace heddle
