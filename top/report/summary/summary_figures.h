#pragma once

#include <string>
#include <vector>

#include "top/report/summary/summary.h"
#include "top/text/table.h"

namespace heddle {

/// A figure of a summary, with its unit.
struct SummaryFigure {
  std::string section;
  std::string name;
  Table::Cell value;
  std::string unit;  ///< "" when it has none
};

/// The launches of one kernel with one grid, block and occupancy, a row each.
Table kernel_table(const RunSummary& run);
/// How long the streams took beside each other, and alone where that is known.
Table stream_table(const RunSummary& run);

/// All that the summary of a run says in numbers, but for its kernels and streams.
std::vector<SummaryFigure> summary_figures(const RunSummary& run);

/// For programs: an object with the tables, and a section per name with its figures; units are in the names.
std::string summary_json(const RunSummary& run);
std::string summary_csv(const RunSummary& run);

/// Why launches of a run that was to be sampled were simulated in full, a line each.
std::vector<std::string> in_full_texts(const RunResult& result);
/// Of a sampled run: figure, estimate, half its 95% confidence interval.
Table sampling_table(const RunSummary& run);

}  // namespace heddle
