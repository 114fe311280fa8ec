#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// A point of a database of experiments, as the folder of its run would have it.
struct DatabaseRun {
  nlohmann::json stats;           ///< what a report reads of stats.json
  nlohmann::json cost;            ///< bits and NAND2-equivalents per SM; null when they are not known
  std::filesystem::path records;  ///< the folder of what else was recorded
};

struct DatabaseRuns {
  std::vector<DatabaseRun> runs;    ///< in the order in which they ended
  std::size_t without_figures = 0;  ///< points that failed before they had some, and those of kind timed
};

/// Whether `file` is a file of SQLite.
bool is_result_database(const std::string& file);

/// The points of `heddle sweep` in a database. What its points' configurations were is read from their
/// commands. Throws ResultsError when it is damaged or something else's, or has no point with figures.
DatabaseRuns database_runs(const std::string& file);

}  // namespace heddle
