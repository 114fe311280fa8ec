#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heddle {

/// Whether the folder has results of runs, or logs of timed pairs.
bool has_runs(const std::string& folder);

/// Whether the folder has numbers of a paper's figures, and no results of runs.
bool is_reproduction(const std::string& folder);

/// What a report shows of the papers in `folders`, which `heddle reproduce` has written: of each paper, in
/// "papers", its headline figures, what was run, and each figure's tables by size with the numbers that the
/// paper gives. "runs" is empty. Throws ResultsError when a file in them is damaged or another program's.
nlohmann::json reproduction_data(const std::vector<std::string>& folders);

}  // namespace heddle
