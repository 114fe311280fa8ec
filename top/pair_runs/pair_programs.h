#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "top/batch/run_figures.h"
#include "top/options/options.h"
#include "top/pairs/pair_figures.h"

namespace heddle {

/// The workloads that run together, by their numbers: those named, or one and copies of it. Throws
/// std::invalid_argument for fewer than run together.
std::vector<std::string> pair_programs(const PairsOptions& options);
/// Their names, without sizes; copies have numbers from 2 on: "bfs", "bfs#2".
std::vector<std::string> pair_names(const std::vector<std::string>& programs);
/// What the dispatch policy `policy` of a run did.
DispatchDelays delays_in(const RunFigures& figures, const std::string& policy);

}  // namespace heddle
