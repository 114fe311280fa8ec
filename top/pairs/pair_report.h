#pragma once

#include <string>

#include "top/pairs/pair_bench.h"

namespace heddle {

/// The results as text, Markdown, CSV or JSON. Beside ours stand the figures that the workload says were
/// published for the same policy and arrival. `detail`: every pair, not only the means (CSV and JSON always
/// have them).
std::string pairs_as_table(const PairBench& bench, const TimedWorkload& workload, bool markdown, bool detail);
std::string pairs_as_csv(const PairBench& bench, const TimedWorkload& workload);
std::string pairs_as_json(const PairBench& bench, const TimedWorkload& workload);

}  // namespace heddle
